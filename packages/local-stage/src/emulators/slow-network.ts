import type { IncomingMessage, ServerResponse } from 'node:http';

export type Network = { latencyMs: number; bytesPerSecond: number };

/** Passes a request to its emulator as late as such a network would, and sends the response no faster. */
export function passSlowly(
  { latencyMs, bytesPerSecond }: Network,
  { request, response, handle }: { request: IncomingMessage; response: ServerResponse; handle: () => void },
): void {
  const sentMs = (1000 * (Number(request.headers['content-length']) || 0)) / bytesPerSecond;
  setTimeout(() => {
    paceResponse(response, bytesPerSecond);
    handle();
  }, latencyMs + sentMs);
}

/** Makes the writer wait for `drain` whenever it is ahead of the rate, and delays the end. */
function paceResponse(response: ServerResponse, bytesPerSecond: number): void {
  const begunMs = performance.now();
  let bytes = 0;
  const aheadMs = () => (1000 * bytes) / bytesPerSecond - (performance.now() - begunMs);
  const [write, end, emit] = [response.write, response.end, response.emit].map((method) =>
    (method as (...args: unknown[]) => unknown).bind(response),
  ) as [Method, Method, Method];
  const emitLater = (...args: unknown[]) => {
    const waitMs = args[0] === 'drain' ? aheadMs() : 0;
    if (waitMs < 1) return emit(...args);
    setTimeout(emit, waitMs, ...args);
    return true;
  };
  const writePaced = (chunk: Uint8Array, ...rest: unknown[]) => {
    bytes += chunk.length;
    const isReady = write(chunk, ...rest) === true;
    if (!isReady || aheadMs() < 1) return isReady;
    emitLater('drain');
    return false;
  };
  const endLater = (...args: unknown[]) => {
    setTimeout(end, Math.max(0, aheadMs()), ...args);
    return response;
  };
  Object.assign(response, { write: writePaced, end: endLater, emit: emitLater });
}

type Method = (...args: unknown[]) => unknown;
