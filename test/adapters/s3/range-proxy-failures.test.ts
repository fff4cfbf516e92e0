import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { aRangeProxy } from '../../builders/storage/a-range-proxy.ts';
import { aStore, breakOff, type StoreAnswer } from './builders/fake-s3.ts';

const clip = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));

/** A proxy to an object of a fake S3 that answers like this. */
async function aProxyTo(content: Buffer, answer: (answer: StoreAnswer) => void) {
  const store = await aStore(content, answer);
  const proxy = await aRangeProxy(store, { clip: { key: 'clip' } });
  return { store, proxy, url: proxy.urlOf('clip') };
}

async function ask(url: string): Promise<IncomingMessage> {
  const [response] = await once(get(url), 'response');
  return response;
}

it('a proxy resumes after S3 breaks off, in the same version, unnoticed by its reader', async () => {
  const { store, proxy, url } = await aProxyTo(clip, (answer) => {
    if (answer.count <= 3) breakOff(answer);
    else answer.response.end(answer.rest);
  });
  const response = await fetch(url, { headers: { range: 'bytes=1000-' } });
  expect(Buffer.from(await response.arrayBuffer()).equals(clip.subarray(1000))).toBe(true);
  expect(store.requests.map(({ range, 'if-match': version }) => [range?.slice(0, 10), version])).toEqual([
    ['bytes=1000', '"one"'],
    ...Array(3).fill([expect.stringMatching(/^bytes=\d+/), '"one"']),
  ]);
  expect(proxy.failure()).toBeUndefined();
});

it('a proxy cuts the connection if S3 keeps breaking off, and reports the failure', async () => {
  const { store, proxy, url } = await aProxyTo(clip, breakOff);
  await expect(fetch(url).then((response) => response.arrayBuffer())).rejects.toThrow();
  expect(proxy.failure()).toMatchObject({ code: 'ECONNRESET' });
  expect(proxy.signal.reason).toBe(proxy.failure());
  expect(store.requests).toHaveLength(6);
});

it('a failed proxy sends no more requests to S3', async () => {
  const { store, url } = await aProxyTo(clip, breakOff);
  const reading = () => fetch(url).then((response) => response.arrayBuffer());
  await expect(reading()).rejects.toThrow();
  const { length } = store.requests;
  await expect(reading()).rejects.toThrow();
  expect(store.requests).toHaveLength(length);
});

it.each([
  ['a reader that disconnects', async (response: IncomingMessage) => void response.destroy()],
  ['a proxy that closes', async (_: IncomingMessage, close: () => Promise<void>) => close()],
])('%s ends the response of S3, and is no failure', async (_, end) => {
  const ended = Promise.withResolvers<void>();
  const { proxy, url } = await aProxyTo(clip, ({ rest, response }) => {
    response.write(rest.subarray(0, 1000));
    response.once('close', ended.resolve);
  });
  const response = await ask(url);
  response.on('error', () => {});
  await once(response, 'readable');
  await end(response, () => proxy.close());
  await ended.promise;
  expect(proxy.failure()).toBeUndefined();
});

it('a slow reader slows S3 down, and the proxy buffers little', async () => {
  const [size, writeBytes] = [512 * 1024 * 1024, 64 * 1024];
  let sent = 0;
  const { url } = await aProxyTo(Buffer.alloc(size), ({ rest, response }) => {
    const send = () => {
      while (sent < size) {
        const isTaken = response.write(rest.subarray(sent, sent + writeBytes));
        sent += writeBytes;
        if (!isTaken) return;
      }
    };
    response.on('drain', send);
    send();
  });
  const response = await ask(url);
  let before = -1;
  await expect
    .poll(
      () => {
        const isStill = sent === before;
        before = sent;
        return isStill;
      },
      { interval: 250 },
    )
    .toBe(true);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
  response.destroy();
});
