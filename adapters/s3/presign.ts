import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { AwsCredentialIdentity, Provider } from '@smithy/types';
import type { Clock, SignedUrl } from '../../core/jobs/ports.ts';

export type SigningSettings = {
  region: string;
  credentials: Provider<AwsCredentialIdentity>;
  /** Where the bucket's objects are: `https://<bucket>.s3.<region>.amazonaws.com`, or an emulator's path. */
  bucketUrl: string;
  lifetimeSeconds: number;
  clock: Pick<Clock, 'now'>;
};

export type Presign = (request: {
  method: 'GET' | 'PUT';
  key: string;
  query?: Record<string, string>;
  /** What the request must be sent with, to the letter. */
  headers?: Record<string, string>;
}) => Promise<SignedUrl>;

const algorithm = 'AWS4-HMAC-SHA256';
/** Whoever holds the URL sends the bytes: nobody knows them when it is signed. */
const payload = 'UNSIGNED-PAYLOAD';

/**
 * Presigns requests by Signature Version 4 in the query (Amazon S3 API Reference, "Authenticating Requests: Using
 * Query Parameters"). A page of the list signs for each of its files: the SDK's own signer, which derives its key anew
 * each time, took a quarter of that request.
 */
export function presigner(settings: SigningSettings): Presign {
  const { region, credentials, bucketUrl, lifetimeSeconds, clock } = settings;
  const { origin, pathname, host } = new URL(bucketUrl);
  const basePath = pathname.replace(/\/$/, '');
  const keyOf = keptSigningKey(region);

  return async ({ method, key, query = {}, headers = {} }) => {
    const { accessKeyId, secretAccessKey, sessionToken } = await credentials();
    const second = Math.floor(clock.now().getTime() / 1000) * 1000;
    const time = new Date(second).toISOString().replace(/[-:]|\.\d{3}/g, '');
    const date = time.slice(0, 8);
    const scope = `${date}/${region}/s3/aws4_request`;
    const signed = Object.entries({ host, ...headers }).sort(byName);
    const parameters = encodePairs({
      ...query,
      'X-Amz-Algorithm': algorithm,
      'X-Amz-Content-Sha256': payload,
      'X-Amz-Credential': `${accessKeyId}/${scope}`,
      'X-Amz-Date': time,
      'X-Amz-Expires': String(lifetimeSeconds),
      ...(sessionToken === undefined ? {} : { 'X-Amz-Security-Token': sessionToken }),
      'X-Amz-SignedHeaders': signed.map(([name]) => name).join(';'),
    });
    const path = `${basePath}/${key.split('/').map(encode).join('/')}`;
    const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('');
    const names = signed.map(([name]) => name).join(';');
    const request = [method, path, parameters, lines, names, payload].join('\n');
    const toSign = [algorithm, time, scope, hash('sha256', request)].join('\n');
    const signature = createHmac('sha256', keyOf(secretAccessKey, date)).update(toSign).digest('hex');
    return {
      url: `${origin}${path}?${parameters}&X-Amz-Signature=${signature}`,
      expiresAt: new Date(second + lifetimeSeconds * 1000),
    };
  };
}

/** The signing key of a secret and a day, derived once as long as both stay the same. */
function keptSigningKey(region: string): (secret: string, date: string) => KeyObject {
  let kept: { secret: string; date: string; key: KeyObject } | undefined;
  return (secret, date) => {
    if (kept?.secret !== secret || kept.date !== date) {
      const parts = [date, region, 's3', 'aws4_request'];
      const derive = (key: Buffer, part: string) => createHmac('sha256', key).update(part).digest();
      // A key in its own form makes an HMAC six times as fast as its bytes do.
      kept = { secret, date, key: createSecretKey(parts.reduce(derive, Buffer.from(`AWS4${secret}`))) };
    }
    return kept.key;
  };
}

function encodePairs(pairs: Record<string, string>): string {
  return Object.entries(pairs)
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .sort(byName)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function byName([a]: [string, string], [b]: [string, string]): number {
  return a < b ? -1 : 1;
}

/** Percent-encodes all but the unreserved characters of RFC 3986, which signatures are made over. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
