import { STATUS_CODES } from 'node:http';
import { checkUrl } from '../../core/net/check-url.ts';
import type { PostRequest } from '../../core/net/ports.ts';
import type { PostFailure, PostOutcome, PostSuccess } from '../../core/net/post-outcome.ts';
import { HttpFailure } from './http-failure.ts';
import { type Network, systemNetwork } from './network.ts';
import { readBody } from './read-body.ts';
import { responseExcerpt } from './response-excerpt.ts';
import { sendRequest } from './send-request.ts';
import { withTimeLimit } from './with-time-limit.ts';

/** The network, and the clock that latencies are read from: milliseconds since any moment. */
export type PostContext = { network: Network; now: () => number };

const thisMachine: PostContext = { network: systemNetwork, now: () => performance.now() };

/**
 * POSTs a body once, without following redirects, and says how that ended. A 2xx whose answer is complete within the
 * limits is a success, and nothing else is. Only a mistake of ours (a header that cannot be sent) rejects.
 */
export async function postWebhook(
  sent: PostRequest,
  { network, now }: PostContext = thisMachine,
): Promise<PostOutcome> {
  const startedAt = now();
  const seen: Seen = { host: 'The target', pieces: [] };
  const failure = await exchange(sent, network, seen).then(
    () => undefined,
    (error: unknown) => failureOf(error, sent.signal),
  );
  return {
    ...outcomeOf(seen, failure),
    latencyMs: Math.max(0, Math.round(now() - startedAt)),
    ...(seen.address !== undefined && { address: seen.address }),
    responseBody: responseExcerpt(Buffer.concat(seen.pieces)),
  };
}

/** What an exchange has shown so far: it stays when the rest fails. */
type Seen = { host: string; address?: string; status?: number; pieces: Buffer[] };

async function exchange(sent: PostRequest, network: Network, seen: Seen): Promise<void> {
  const { url, rejection } = checkUrl(sent.url, sent);
  if (url === undefined) throw new HttpFailure('address-forbidden', rejection);
  seen.host = url.host;
  const { connectMs, totalMs: ms, maxResponseBytes } = sent.limits;
  const failure = () =>
    new HttpFailure('timeout', `${url.host} did not finish its answer within ${ms / 1000} s`);
  await withTimeLimit({ ms, failure, parent: sent.signal }, async (signal) => {
    const response = await sendRequest(
      {
        url,
        method: 'POST',
        headers: sent.headers,
        body: sent.body,
        headMs: ms,
        rules: { reachable: sent.reachable, connectMs, signal },
        onConnected: (address) => Object.assign(seen, { address }),
      },
      network,
    );
    seen.status = response.statusCode ?? 0;
    let bytes = 0;
    for await (const piece of readBody(response, { host: url.host, idleMs: ms, signal })) {
      bytes += piece.length;
      seen.pieces.push(piece);
      if (bytes > maxResponseBytes) {
        const message = `The answer of ${url.host} is larger than ${maxResponseBytes} bytes`;
        throw new HttpFailure('response-too-large', message);
      }
    }
  });
}

function outcomeOf({ host, status }: Seen, failure: PostFailure | undefined): PostSuccess | PostFailure {
  if (status === undefined) return failure ?? aborted;
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess) return failure === undefined ? { ok: true, status } : { ...failure, status };
  const answered = `${host} answered ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
  return status >= 300 && status < 400
    ? { ok: false, status, errorClass: 'redirect', error: `${answered}; redirects are not followed` }
    : { ok: false, status, errorClass: 'http-status', error: answered };
}

function failureOf(error: unknown, signal: AbortSignal | undefined): PostFailure {
  if (error instanceof HttpFailure) return { ok: false, errorClass: error.errorClass, error: error.message };
  if (signal?.aborted) return aborted;
  throw error;
}

const aborted: PostFailure = {
  ok: false,
  errorClass: 'aborted',
  error: 'The sender had to end before the answer was complete',
};
