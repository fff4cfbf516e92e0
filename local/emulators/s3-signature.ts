import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The one key pair that s3rver knows. */
export const s3Credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

type Credentials = { accessKeyId: string; secretAccessKey: string };

/** Why a request is refused, as S3 says it. */
export type SignatureError = { code: 'AccessDenied' | 'SignatureDoesNotMatch'; message: string };

/**
 * Judges what s3rver lets pass: a request that nobody signed, and a signed URL that was changed. Whether a URL has
 * expired, s3rver judges itself.
 */
export function findSignatureError(
  request: IncomingMessage,
  credentials: Credentials,
): SignatureError | undefined {
  // A browser's preflight is never signed.
  if (request.method === 'OPTIONS' || request.headers.authorization) return undefined;
  const url = new URL(request.url ?? '/', 'http://s3');
  const given = url.searchParams.get('X-Amz-Signature');
  if (given === null) return { code: 'AccessDenied', message: 'Access Denied' };
  if (given === signatureOf(request, url, credentials)) return undefined;
  return {
    code: 'SignatureDoesNotMatch',
    message: 'The request signature we calculated does not match the signature you provided.',
  };
}

/** Signature Version 4 of a signed URL, from the AWS documentation "Authenticating Requests: Using Query Parameters". */
function signatureOf(request: IncomingMessage, url: URL, { secretAccessKey }: Credentials): string {
  const parameter = (name: string) => url.searchParams.get(name) ?? '';
  const [, date = '', region = '', service = ''] = parameter('X-Amz-Credential').split('/');
  const signedHeaders = parameter('X-Amz-SignedHeaders');
  const headers = signedHeaders
    .split(';')
    .map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  const canonicalRequest = [
    request.method,
    encoded(decodeURIComponent(url.pathname), '/'),
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
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
}

/** Percent-encoded as Signature Version 4 wants it: all but unreserved characters, and those in `kept`. */
function encoded(text: string, kept = ''): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      const plain = /[A-Za-z0-9_.~-]/.test(character) || kept.includes(character);
      return plain ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
