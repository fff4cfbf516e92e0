import type { IncomingMessage } from 'node:http';
import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { findSignatureError } from '@media-jobs/local-stage/emulators';
import { Hash } from '@smithy/hash-node';
import { HttpRequest } from '@smithy/protocol-http';
import { describe, expect, it } from 'vitest';
import { presigner } from '../../../adapters/s3/presign.ts';

const region = 'eu-central-1';
const hostname = `media.s3.${region}.amazonaws.com`;
const now = new Date('2026-03-01T12:00:00.750Z');
const longLived = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const ofARole = { ...longLived, sessionToken: 'a token/with+signs==' };

type Credentials = typeof longLived & { sessionToken?: string };
type Signing = Omit<Parameters<ReturnType<typeof presigner>>[0], 'lifetimeSeconds'>;
const lifetimeSeconds = 3_600;

function ours(credentials: Credentials, at: Date = now) {
  const sign = presigner({
    region,
    credentials: async () => credentials,
    bucketUrl: `https://${hostname}`,
    clock: { now: () => at },
  });
  return (signing: Signing) => sign({ ...signing, lifetimeSeconds });
}

/** The query that the SDK signs, for comparison. */
async function bySdk(credentials: Credentials, { method, key, query = {}, headers = {} }: Signing) {
  const path = `/${key.split('/').map(encodeURIComponent).join('/')}`;
  const request = new HttpRequest({
    protocol: 'https:',
    hostname,
    method,
    path,
    headers: { host: hostname, ...headers },
    query,
  });
  const signer = new S3RequestPresigner({ region, credentials, sha256: Hash.bind(null, 'sha256') });
  return (await signer.presign(request, { expiresIn: lifetimeSeconds, signingDate: now })).query;
}

const parametersOf = (url: string) => Object.fromEntries(new URL(url).searchParams);

describe('a presigned URL', () => {
  it.each<[string, Credentials, Signing]>([
    ['of a role', ofARole, { method: 'GET', key: 'jobs/1/1/output.mp4' }],
    ['of a user', longLived, { method: 'GET', key: 'jobs/1/1/output.mp4' }],
    [
      'that names its download',
      ofARole,
      {
        method: 'GET',
        key: 'jobs/1/1/output.mp4',
        query: {
          'response-content-disposition': `attachment; filename="it's (a) ~clip*!.mp4"`,
          'response-content-type': 'video/mp4',
        },
      },
    ],
    ['of a name with spaces and umlauts', ofARole, { method: 'GET', key: 'jobs/a b/grüße + +.mp4' }],
    ['of an upload of one size', ofARole, { method: 'PUT', key: 'up/1', headers: { 'content-length': '17' } }],
  ])('%s equals the URL of the SDK', async (_, credentials, signing) => {
    const { url } = await ours(credentials)(signing);
    expect(parametersOf(url)).toEqual(await bySdk(credentials, signing));
  });

  it.each(["videos (2026)/it's *new*!.mp4", 'a b/grüße + ~=&$@,;:.mp4'])(
    'of the key %s has the signature that S3 computes',
    async (key) => {
      const { url } = await ours(longLived)({ method: 'GET', key });
      const { pathname, search, host } = new URL(url);
      expect(decodeURIComponent(pathname)).toBe(`/${key}`);
      const request = { method: 'GET', url: pathname + search, headers: { host } } as unknown as IncomingMessage;
      expect(findSignatureError(request, () => longLived.secretAccessKey)).toBeUndefined();
    },
  );

  it('expires after its lifetime, counted from a whole second', async () => {
    const { expiresAt } = await ours(ofARole)({ method: 'GET', key: 'a' });
    expect(expiresAt).toEqual(new Date('2026-03-01T13:00:00.000Z'));
  });

  it('uses the current day and the current credentials', async () => {
    let [credentials, at] = [ofARole, now];
    const sign = presigner({
      region,
      credentials: async () => credentials,
      bucketUrl: `https://${hostname}`,
      clock: { now: () => at },
    });
    const signing = { method: 'GET', key: 'a', lifetimeSeconds } as const;
    await sign(signing);
    at = new Date('2026-03-02T00:00:00.000Z');
    expect((await sign(signing)).url).toBe((await ours(ofARole, at)(signing)).url);
    credentials = { ...ofARole, secretAccessKey: 'another' };
    expect((await sign(signing)).url).toBe((await ours(credentials, at)(signing)).url);
  });
});
