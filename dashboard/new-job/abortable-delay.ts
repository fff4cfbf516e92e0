/** Waits; rejects with the signal's reason where that aborts. */
export function abortableDelay(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = () => {
    clearTimeout(timer);
    reject(signal.reason);
  };
  const timer = setTimeout(() => {
    signal.removeEventListener('abort', giveUp);
    resolve();
  }, milliseconds);
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  return promise;
}
