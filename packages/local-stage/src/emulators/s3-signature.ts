import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The only key pair that s3rver accepts. */
export const s3Credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** An error of S3. */
export type SignatureError = { code: 'AccessDenied' | 'SignatureDoesNotMatch'; message: string };

/** Rejects what s3rver accepts: unsigned requests, altered signed URLs and headers of S3 beside them. s3rver checks the expiry itself. */
export function findSignatureError(
  request: IncomingMessage,
  secretOf: (accessKeyId: string) => string | undefined,
): SignatureError | undefined {
  // Browsers do not sign a preflight.
  if (request.method === 'OPTIONS' || request.headers.authorization) return undefined;
  const url = new URL(request.url ?? '/', 'http://s3');
  const signature = url.searchParams.get('X-Amz-Signature');
  if (signature === null) return { code: 'AccessDenied', message: 'Access Denied' };
  const [accessKeyId = ''] = (url.searchParams.get('X-Amz-Credential') ?? '').split('/');
  const secretAccessKey = secretOf(accessKeyId);
  if (secretAccessKey !== undefined && signature === calculateSignature(request, url, secretAccessKey)) {
    const signed = url.searchParams.get('X-Amz-SignedHeaders')?.split(';');
    const unsigned = Object.keys(request.headers).some((name) => name.startsWith('x-amz-') && !signed?.includes(name));
    const message = 'There were headers present in the request which were not signed';
    return unsigned ? { code: 'AccessDenied', message } : undefined;
  }
  return {
    code: 'SignatureDoesNotMatch',
    message: 'The request signature we calculated does not match the signature you provided.',
  };
}

/** Signature Version 4 of a signed URL. Source: AWS, "Authenticating Requests: Using Query Parameters". */
function calculateSignature(request: IncomingMessage, url: URL, secretAccessKey: string): string {
  const parameter = (name: string) => url.searchParams.get(name) ?? '';
  const [, date = '', region = '', service = ''] = parameter('X-Amz-Credential').split('/');
  const signedHeaders = parameter('X-Amz-SignedHeaders');
  const headers = signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  const canonicalRequest = [
    request.method,
    percentEncode(decodeURIComponent(url.pathname), '/'),
    canonicalQuery(url.searchParams),
    headers.join(''),
    signedHeaders,
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const scope = `${date}/${region}/${service}/aws4_request`;
  const digest = createHash('sha256').update(canonicalRequest).digest('hex');
  const stringToSign = ['AWS4-HMAC-SHA256', parameter('X-Amz-Date'), scope, digest].join('\n');
  const key = [date, region, service, 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secretAccessKey}`);
  return hmac(key, stringToSign).toString('hex');
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function canonicalQuery(parameters: URLSearchParams): string {
  return [...parameters]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .sort()
    .join('&');
}

/** Percent-encodes for Signature Version 4: everything but unreserved characters and those in `except`. */
function percentEncode(text: string, except = ''): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      const isUnreserved = /[A-Za-z0-9_.~-]/.test(character) || except.includes(character);
      return isUnreserved ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
