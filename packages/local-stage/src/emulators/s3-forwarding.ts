import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Hash } from '@smithy/hash-node';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import { region as defaultRegion } from '../aws-names.ts';

/** An S3 server that has some or all of the buckets of a stage, in place of the emulator. */
export type OtherS3 = {
  endpoint: string;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined };
  region?: string | undefined;
  buckets: readonly string[] | 'all';
};

/** Headers of one connection, of the signature, or that the other server must see with its own values. */
const ownHeaders = /^(host|connection|keep-alive|expect|authorization|x-amz-(date|security-token))$/;

/** Parameters of a presigned URL (Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters"). */
const signatureParameters =
  /^X-Amz-(Algorithm|Credential|Date|Expires|SignedHeaders|Signature|Security-Token|Content-Sha256)$/;

/**
 * Sends requests on to another S3 server, signed with its keys. The signature and the permissions of a request are checked
 * before, so that the templates' policies decide here too.
 */
export function s3Forwarding(other: OtherS3) {
  const endpoint = new URL(other.endpoint);
  const { credentials, region = defaultRegion } = other;
  const signer = new SignatureV4({
    ...{ service: 's3', region, credentials, sha256: Hash.bind(null, 'sha256') },
    ...{ uriEscapePath: false, applyChecksum: false },
  });

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', endpoint);
    const kept = [...searchParams].filter(([name]) => !signatureParameters.test(name));
    const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
      ownHeaders.test(name) || value === undefined ? [] : [[name, String(value)] as const],
    );
    const signed = await signer.sign(
      new HttpRequest({
        method: incoming.method ?? 'GET',
        hostname: endpoint.hostname,
        path: pathname,
        query: Object.fromEntries(kept),
        headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...Object.fromEntries(headers), host: endpoint.host },
      }),
    );
    const query = kept.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
    const send = endpoint.protocol === 'https:' ? requestHttps : requestHttp;
    const outgoing = send(new URL(query === '' ? pathname : `${pathname}?${query}`, endpoint), {
      method: signed.method,
      headers: signed.headers,
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve);
      outgoing.once('error', reject);
    });
    pipeline(incoming, outgoing).catch(() => undefined);
    const answer = await answered;
    response.statusCode = answer.statusCode ?? 502;
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined && !ownHeaders.test(name)) response.setHeader(name, value);
    }
    // A missing object may be hidden, which needs its whole answer.
    if (response.statusCode === 404) response.end(await buffer(answer));
    else await pipeline(answer, response);
  }

  return {
    has: ({ url = '/' }: IncomingMessage) =>
      other.buckets === 'all' || other.buckets.includes(decodeURIComponent(url.split(/[/?]/)[1] ?? '')),
    forward: (incoming: IncomingMessage, response: ServerResponse) => {
      if (hasExpired(incoming)) return sendError(response, 403, 'AccessDenied', 'Request has expired');
      forward(incoming, response).catch((error: Error) => {
        if (response.headersSent) response.destroy();
        else sendError(response, 502, 'ServiceUnavailable', `${endpoint.host} did not answer: ${error.message}`);
      });
    },
  };
}

/** Whether the time of a presigned URL is over, which the emulator checks for its own buckets. */
function hasExpired({ url = '/' }: IncomingMessage): boolean {
  const { searchParams } = new URL(url, 'http://s3');
  const date = searchParams.get('X-Amz-Date')?.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z');
  if (date === undefined) return false;
  return Date.parse(date) + Number(searchParams.get('X-Amz-Expires')) * 1000 < Date.now();
}

/** Answers with an error of S3. */
export function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}
