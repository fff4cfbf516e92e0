type TimeLimit = { ms: number; failure: () => Error; parent?: AbortSignal | undefined };

/**
 * Runs an abortable operation with a time limit. Its signal aborts after `ms` with the error of `failure`, or with the
 * parent's reason. After an abort the promise rejects with that reason, whatever the operation throws. It settles only
 * after the operation has, so nothing continues in the background.
 */
export async function withTimeLimit<T>(
  { ms, failure, parent }: TimeLimit,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(failure()), ms);
  const signal = parent === undefined ? limit.signal : AbortSignal.any([parent, limit.signal]);
  try {
    signal.throwIfAborted();
    return await run(signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}
