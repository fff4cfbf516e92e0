import { Hash } from '@smithy/hash-node';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentialIdentity, Provider } from '@smithy/types';
import type { Clock, FileStorage, SignedUrl } from '../../core/jobs/ports.ts';
import { attachmentHeader } from '../../core/net/response.ts';

export type SigningSettings = {
  region: string | Provider<string>;
  credentials: Provider<AwsCredentialIdentity>;
  /** Base URL of the objects: `https://<bucket>.s3.<region>.amazonaws.com`, or an emulator's path. */
  bucketUrl: string;
  clock: Pick<Clock, 'now'>;
};

export type Presign = (request: {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  key: string;
  query?: Record<string, string> | undefined;
  /** Headers that the request must be sent with, byte for byte. */
  headers?: Record<string, string>;
  lifetimeSeconds: number;
}) => Promise<SignedUrl>;

/**
 * Presigns requests with Signature Version 4 in the query (Amazon S3 API Reference, "Authenticating Requests: Using
 * Query Parameters"). Needs no S3 client: signing uses no network.
 */
export function presigner({ region, credentials, bucketUrl, clock }: SigningSettings): Presign {
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials,
    sha256: Hash.bind(null, 'sha256'),
    applyChecksum: false,
    // S3 signs the path as it is sent; other services escape it twice.
    uriEscapePath: false,
  });
  const { protocol, hostname, port, pathname, host } = new URL(bucketUrl);
  const basePath = pathname.replace(/\/$/, '');

  return async ({ method, key, query = {}, headers = {}, lifetimeSeconds }) => {
    // SigV4 timestamps have whole seconds.
    const signingDate = new Date(Math.floor(clock.now().getTime() / 1000) * 1000);
    const request = new HttpRequest({
      protocol,
      hostname,
      port: port === '' ? undefined : Number(port),
      method,
      path: `${basePath}/${key.split('/').map(percentEncode).join('/')}`,
      headers: { host, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD', ...headers },
      query,
    });
    const signed = await signer.presign(request, {
      expiresIn: lifetimeSeconds,
      signingDate,
      unsignableHeaders: new Set(['content-type']),
    });
    return { url: toUrl(signed), expiresAt: new Date(signingDate.getTime() + lifetimeSeconds * 1000) };
  };
}

/** Shorter than the rest of any credentials that sign here: an SDK client renews them five minutes before they end. */
const downloadSeconds = 300;

/** Presigns downloads that the browser saves under `filename` instead of the key. */
export function signDownload(presign: Presign): FileStorage['sign'] {
  return async ({ key, filename, mimeType }) => {
    const query = { 'response-content-disposition': attachmentHeader(filename), 'response-content-type': mimeType };
    return (await presign({ method: 'GET', key, query, lifetimeSeconds: downloadSeconds })).url;
  };
}

function toUrl({ protocol, hostname, port, path, query = {} }: Awaited<ReturnType<SignatureV4['presign']>>) {
  const parameters = Object.entries(query).map(
    ([name, value]) => `${percentEncode(name)}=${percentEncode(String(value))}`,
  );
  return `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}?${parameters.join('&')}`;
}

/** Signature Version 4 escapes all but unreserved characters; S3 escapes a path that it receives anew before it verifies. */
function percentEncode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}
