import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { testProvider } from '../../../adapters/storage/test-provider.ts';
import { aProviderAt, aProviderClient } from '../../builders/storage/a-provider-client.ts';
import { aProviderServer } from '../../builders/storage/a-provider-server.ts';

const server = await aProviderServer({ bucket: 'bucket-of-a-customer' });

describe('the test of a provider', () => {
  it('writes, reads, lists and removes one object', async () => {
    const before = await server.objects();
    expect(await testProvider(aProviderAt(server), async () => aProviderClient(server))).toMatchObject({ ok: true });
    expect(await server.objects()).toEqual(before);
  });

  it.each([
    ['Write', 'PUT'],
    ['Read', 'GET'],
    ['Removal', 'DELETE'],
  ])('names the step that failed: %s', async (step, method) => {
    server.failWith((request) =>
      request.method === method && !request.url?.includes('list-type')
        ? { status: 403, code: 'AccessDenied' }
        : undefined,
    );
    onTestFinished(() => server.failWith());
    expect(await testProvider(aProviderAt(server), async () => aProviderClient(server))).toEqual({
      ok: false,
      message: `${step} failed: the provider answered AccessDenied (403).`,
    });
  });

  it.each([
    ['returns other bytes', 'GetObjectCommand', { Body: [Buffer.from('<html>')] }],
    ['does not list it', 'ListObjectsV2Command', { Contents: [] }],
  ])('removes the object from a provider that %s', async (_, command, answer) => {
    const before = await server.objects();
    const access = aProviderClient(server);
    const send = access.client.send.bind(access.client) as (...args: unknown[]) => Promise<unknown>;
    const lie = (sent: object, ...rest: unknown[]) =>
      sent.constructor.name === command ? Promise.resolve(answer) : send(sent, ...rest);
    Object.assign(access.client, { send: lie });
    expect(await testProvider(aProviderAt(server), async () => access)).toMatchObject({ ok: false });
    expect(await server.objects()).toEqual(before);
  });

  it('removes the object from a provider that hangs while it is read', async () => {
    const before = await server.objects();
    const access = aProviderClient(server);
    const send = access.client.send.bind(access.client) as (...args: unknown[]) => Promise<unknown>;
    const timeout = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout.signal);
    onTestFinished(() => void vi.restoreAllMocks());
    const hang = async (sent: object, ...rest: unknown[]) => {
      if (sent.constructor.name !== 'GetObjectCommand') return send(sent, ...rest);
      timeout.abort(new Error('The time is over'));
      throw timeout.signal.reason;
    };
    Object.assign(access.client, { send: hang });
    expect(await testProvider(aProviderAt(server), async () => access)).toEqual({
      ok: false,
      message: 'Read failed: the provider did not answer within 15 s.',
    });
    expect(await server.objects()).toEqual(before);
  });

  it('reports wrong keys', async () => {
    const wrong = aProviderClient(server, { keys: { ...server.keys, secretAccessKey: 'wrong' } });
    expect(await testProvider(aProviderAt(server), async () => wrong)).toEqual({
      ok: false,
      message: 'Write failed: the provider answered SignatureDoesNotMatch (403).',
    });
  });
});
