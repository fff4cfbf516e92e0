import type { IncomingMessage } from 'node:http';
import { exchangeFailure, HttpFailure } from './http-failure.ts';

/**
 * The pieces of an answer's body as they arrive. Throws HttpFailure when the connection breaks or is silent for
 * `idleMs`, or the signal's reason. However it ends, early exit of the reader included, the connection is closed.
 */
export async function* readBody(
  response: IncomingMessage,
  { host, idleMs, signal }: { host: string; idleMs: number; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const silence = new HttpFailure('timeout', `${host} sent nothing for ${idleMs / 1000} s`);
  const idle = setTimeout(() => response.destroy(silence), idleMs);
  const onAbort = () => response.destroy(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    for await (const piece of response) {
      yield piece;
      idle.refresh();
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error === silence ? silence : exchangeFailure(host, error);
  } finally {
    clearTimeout(idle);
    signal.removeEventListener('abort', onAbort);
    response.destroy();
  }
}
