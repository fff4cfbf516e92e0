import type { IncomingMessage } from 'node:http';
import { storeErrorCode } from '../../core/net/store-error.ts';
import type { RequestContext } from './follow-redirects.ts';
import { StatusError } from './http-failure.ts';
import { withTimeLimit } from './open-connection.ts';
import { readBody } from './send-request.ts';

/** Error documents of object stores have less than a kilobyte. */
const maxBytes = 8_192;
const maxMs = 5_000;

/** The error for a response without the file. Reads the code of an object store from its body, and closes the connection. */
export async function statusError(
  host: string,
  response: IncomingMessage,
  { signal: parent }: Pick<RequestContext, 'signal'>,
): Promise<StatusError> {
  const failure = () => new Error(`${host} sends its error slowly`);
  const body = await withTimeLimit({ ms: maxMs, failure, parent }, (signal) =>
    readStart(response, { host, signal }),
  ).catch(() => '');
  parent.throwIfAborted();
  return new StatusError(host, response, storeErrorCode(response.headers, body));
}

async function readStart(response: IncomingMessage, options: { host: string; signal: AbortSignal }): Promise<string> {
  let body = '';
  for await (const chunk of readBody(response, { ...options, idleMs: maxMs })) {
    body += chunk.toString('latin1');
    if (body.length >= maxBytes) break;
  }
  return body.slice(0, maxBytes);
}
