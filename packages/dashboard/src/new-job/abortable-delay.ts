/** Resolves after `delayMs`, or rejects with the signal's reason. */
export function abortableDelay(delayMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => {
    clearTimeout(timer);
    reject(signal.reason);
  };
  const timer = setTimeout(() => {
    signal.removeEventListener('abort', abort);
    resolve();
  }, delayMs);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return promise;
}
