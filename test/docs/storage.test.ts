import { readFileSync } from 'node:fs';
import { connect, createServer, type Server, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Network, openConnection, systemNetwork } from '../../adapters/http/open-connection.ts';
import type { BucketAccess } from '../../adapters/s3/read-object.ts';
import { UnexpectedResponseError } from '../../adapters/storage/limit-responses.ts';
import { testProvider } from '../../adapters/storage/test-provider.ts';
import { AssumeRoleError } from '../../adapters/sts/assume-role.ts';
import { type ProviderTestStep, providerTestSteps, type StorageProvider } from '../../core/storage/provider.ts';
import { sessionPolicy } from '../../core/storage/session-policy.ts';

const document = readFileSync(`${import.meta.dirname}/../../docs/storage.md`, 'utf8');
const [, table = ''] = document.split(/<!-- (?:test: messages|end) -->/);
const messages = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, message = '']) => message);

const provider: StorageProvider = {
  ownerId: 'owner',
  storageProviderId: 'sp_1',
  name: 'Test',
  kind: 's3',
  prefix: 'videos/',
  bucket: 'example-media',
  region: 'eu-central-1',
  createdAt: '',
  updatedAt: '',
  access: { type: 'role', roleArn: 'arn:aws:iam::111122223333:role/media-jobs', externalId: 'x' },
} as StorageProvider;

const stepOf: Record<string, ProviderTestStep> = {
  PutObjectCommand: 'Write',
  GetObjectCommand: 'Read',
  ListObjectsV2Command: 'List',
  DeleteObjectCommand: 'Removal',
};

type Failure = { step: ProviderTestStep; answer?: () => unknown };

/** The message of a test in which one step fails or answers differently. */
async function messageWith({ step, answer }: Failure | { step: undefined; answer?: undefined }): Promise<string> {
  let key = '';
  const send = async (command: { constructor: { name: string }; input: { Key?: string } }) => {
    key = command.input.Key ?? key;
    const current = stepOf[command.constructor.name];
    if (current === step && answer !== undefined) return answer();
    return current === 'Read' ? { Body: [Buffer.from('media-jobs test\n')] } : { Contents: [{ Key: key }] };
  };
  const open = async () => {
    if (step === 'Access') answer?.();
    return { client: { send }, bucket: provider.bucket } as unknown as BucketAccess;
  };
  return (await testProvider(provider, open)).message;
}

function throwing(error: unknown): () => never {
  return () => {
    throw error;
  };
}

let server: Server;
beforeAll(async () => {
  server = createServer((socket) => socket.on('error', () => undefined).end('no TLS'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());
afterEach(() => vi.restoreAllMocks());

const withCode = (code: string) => Object.assign(new Error(code), { code });
const toServer = () => connect((server.address() as { port: number }).port, '127.0.0.1');
const dialRejected = () => {
  const socket = toServer();
  socket.destroy(withCode('ECONNREFUSED'));
  return socket;
};
/** The failure of a connection to an endpoint by a network. */
function connectionFailure(network: Partial<Network>, connectMs = 60_000): Promise<Error> {
  const rules = { reachable: [], connectMs, signal: undefined };
  const all = { ...systemNetwork, resolve: async () => ['93.184.215.14'], ...network };
  return openConnection(new URL('https://storage.example.com/'), rules, all).then(
    () => new Error('connected'),
    (error: Error) => error,
  );
}

/** System codes and times differ between a real network and this test. */
const normalize = (message: string) =>
  message.replace(/(accepted|connection to the provider failed) \(\w+\)/, '$1 (CODE)').replace(/[\d.]+ s\./, 'N s.');

/** Every message that does not repeat an answer of the provider. */
async function ownMessages(): Promise<string[]> {
  const connections = await Promise.all([
    connectionFailure({ resolve: async () => Promise.reject(withCode('ENOTFOUND')) }),
    connectionFailure({ resolve: async () => ['10.0.0.1'] }),
    connectionFailure({ dial: dialRejected }),
    connectionFailure({ dial: () => new Socket() }, 10),
    connectionFailure({ dial: toServer }),
  ]);
  const thrown = [...connections, withCode('ECONNRESET'), new UnexpectedResponseError('large')];
  const denied = Object.assign(new Error(), { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
  const found = [
    await messageWith({ step: undefined }),
    await messageWith({ step: 'Access', answer: throwing(new AssumeRoleError(denied)) }),
    await messageWith({ step: 'Read', answer: () => ({ Body: [Buffer.from('<html>')] }) }),
    await messageWith({ step: 'List', answer: () => ({ Contents: [] }) }),
  ];
  for (const error of thrown) found.push(await messageWith({ step: 'Write', answer: throwing(error) }));
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  found.push(await messageWith({ step: 'Write', answer: throwing(new Error('aborted')) }));
  return found.map(normalize);
}

describe('docs/storage.md', () => {
  it('lists every message of the test that is not an answer of the provider', async () => {
    const own = messages.filter((message) => !message.includes('the provider answered')).map(normalize);
    expect(own.toSorted()).toEqual((await ownMessages()).toSorted());
  });

  const answers = messages.filter((message) => message.includes('the provider answered'));
  it.each(answers)('has a message as the test makes it: %s', async (message) => {
    const [, step, name, status] = /^(\w+) failed: .* answered (\w+) \((\d+)\)\.$/.exec(message) ?? [];
    const error = Object.assign(new Error(), { name, $metadata: { httpStatusCode: Number(status) } });
    expect(await messageWith({ step: step as ProviderTestStep, answer: throwing(error) })).toBe(message);
  });

  it('has a failure of every step', () => {
    const steps = messages.map((message) => message.split(' ')[0]);
    expect(steps).toEqual(expect.arrayContaining([...providerTestSteps]));
  });

  it('has the least-privilege policy that a session of the service uses', () => {
    const [, json = ''] = /```json\n(\{[\s\S]*?)```/.exec(document) ?? [];
    const { Statement } = sessionPolicy(provider, 'aws');
    expect(JSON.parse(json).Statement).toEqual(Statement.slice(0, 3));
    expect(Statement[3]?.Action).toEqual(['kms:Decrypt', 'kms:GenerateDataKey']);
  });
});
