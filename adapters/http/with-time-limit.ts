type TimeLimit = { ms: number; failure: () => Error; parent?: AbortSignal | undefined };

/**
 * Runs work that obeys a signal. The signal aborts after `ms` with the error that `failure` makes, or with the
 * parent's reason when that aborts; whatever the work then throws, that reason is what the caller gets. It settles
 * only when the work has, so nothing goes on behind the caller's back.
 */
export async function withTimeLimit<T>(
  { ms, failure, parent }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(failure()), ms);
  const signal = parent === undefined ? limit.signal : AbortSignal.any([parent, limit.signal]);
  try {
    signal.throwIfAborted();
    return await work(signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}
