import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { checkUrl } from '../../core/net/check-url.ts';
import type { PostFailure, PostLimits, PostOutcome, PostRequest, PostSuccess } from '../../core/net/ports.ts';
import { HttpFailure } from './http-failure.ts';
import { type Network, systemNetwork, withTimeLimit } from './open-connection.ts';
import { readBody, sendRequest } from './send-request.ts';

const maxExcerptBytes = 4_096;

/** `now` is a monotonic clock in milliseconds: latencies are measured with it. */
export type PostContext = { network: Network; now: () => number };

const defaultContext: PostContext = { network: systemNetwork, now: () => performance.now() };

/**
 * POSTs a body once, without following redirects, and returns the outcome. The status in the head of the response decides;
 * the body is read for its excerpt. Rejects only for a programming error, such as an invalid header.
 */
export async function postWebhook(
  post: PostRequest,
  { network, now }: PostContext = defaultContext,
): Promise<PostOutcome> {
  const startedAt = now();
  const received: Received = { host: 'The target', chunks: [] };
  const failure = await exchange(post, network, received).then(
    () => undefined,
    (error: unknown) => toPostFailure(error, post.signal),
  );
  return {
    ...outcomeOf(received, failure, post.body),
    latencyMs: Math.max(0, Math.round(now() - startedAt)),
    address: received.address,
    responseBody: safeExcerpt(Buffer.concat(received.chunks)),
  };
}

type Received = { host: string; address?: string; status?: number; chunks: Buffer[] };

async function exchange(post: PostRequest, network: Network, received: Received): Promise<void> {
  const { url, rejection } = checkUrl(post.url, post);
  if (url === undefined) throw new HttpFailure('address-forbidden', rejection);
  received.host = url.host;
  const { connectMs, totalMs: ms } = post.limits;
  const failure = () => new HttpFailure('timeout', `${url.host} did not answer within ${ms / 1000} s`);
  await withTimeLimit({ ms, failure, parent: post.signal }, async (signal) => {
    const response = await sendRequest(
      {
        url,
        method: 'POST',
        headers: post.headers,
        body: post.body,
        headMs: ms,
        rules: { reachable: post.reachable, connectMs, signal },
        onConnected: (address) => Object.assign(received, { address }),
      },
      network,
    );
    received.status = response.statusCode ?? 0;
    await receiveBody(response, post.limits, { host: url.host, received, signal });
  });
}

/** Receives the body of a response until it ends or reaches a limit. Its failure changes no outcome. */
async function receiveBody(
  response: IncomingMessage,
  { bodyMs: ms, maxResponseBytes }: PostLimits,
  { host, received, signal: parent }: { host: string; received: Received; signal: AbortSignal },
): Promise<void> {
  const failure = () => new HttpFailure('timeout', `${host} did not finish its answer within ${ms / 1000} s`);
  await withTimeLimit({ ms, failure, parent }, async (signal) => {
    let bytes = 0;
    for await (const chunk of readBody(response, { host, idleMs: ms, signal })) {
      bytes += chunk.length;
      received.chunks.push(chunk);
      if (bytes >= maxResponseBytes) return;
    }
  });
}

/** A failure after the head concerns the body only. */
function outcomeOf(
  { host, status }: Received,
  failure: PostFailure | undefined,
  sent: string,
): PostSuccess | PostFailure {
  if (status === undefined) return failure ?? aborted;
  if (status >= 200 && status < 300) return { ok: true, status };
  const answered = `${host} answered ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
  const error = status === 413 ? `${answered} to a body of ${Buffer.byteLength(sent)} bytes` : answered;
  return status >= 300 && status < 400
    ? { ok: false, status, errorClass: 'redirect', error: `${error}; redirects are not followed` }
    : { ok: false, status, errorClass: 'http-status', error };
}

function toPostFailure(error: unknown, signal: AbortSignal | undefined): PostFailure {
  if (error instanceof HttpFailure) return { ok: false, errorClass: error.errorClass, error: error.message };
  if (signal?.aborted) return aborted;
  throw error;
}

const aborted: PostFailure = {
  ok: false,
  errorClass: 'aborted',
  error: 'The sender had to end before the target answered',
};

/**
 * The first 4 KiB of a body as text that is safe to store and show. Replaces by U+FFFD what is not UTF-8, and control
 * and bidirectional characters, which a terminal or a log viewer would obey; keeps tabs and line breaks.
 */
function safeExcerpt(body: Buffer): string {
  const start = body.subarray(0, maxExcerptBytes);
  // Streaming mode drops a character that the cut has split instead of replacing it.
  const text = new TextDecoder().decode(start, { stream: start.length < body.length });
  return text.replace(/[^\P{Cc}\t\n\r]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
