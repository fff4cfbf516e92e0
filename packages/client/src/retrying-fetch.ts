import type { ClientOptions } from './client.ts';
import type { ErrorBody } from './operation.ts';
import type { Sleep } from './sleep.ts';

type Fetch = NonNullable<ClientOptions['fetch']>;

export type RetryingFetchOptions = {
  signal: AbortSignal;
  sleep: Sleep;
  fetch?: Fetch;
  /** Whether a request may be sent again. */
  mayRepeat?: (url: string, init: RequestInit) => boolean;
};

const maxAttempts = 3;
const firstDelayMs = 500;
const maxDelayMs = 10_000;
const retryableStatuses = new Set([429, 500, 502, 503, 504]);
/** POSTs whose repetition changes nothing: a cancelled job stays cancelled, and an estimate creates nothing. */
const idempotentPosts = /\/(?:cancel|estimate)$/;

/**
 * A `fetch` for the API client. Idempotent requests get up to three attempts when the network or the service fails,
 * fewer if the service asks for a longer wait. Every request aborts with the signal.
 */
export function retryingFetch({
  signal,
  sleep,
  fetch: send = fetch,
  mayRepeat = isIdempotent,
}: RetryingFetchOptions): Fetch {
  return async (url, init) => {
    let followsLostAttempt = false;
    const attempts = mayRepeat(url, init) ? maxAttempts : 1;
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= attempts;
      const response = await send(url, { ...init, signal: init.signal ?? signal }).catch((error: unknown) => {
        // The Fetch standard has TypeError for a failed network.
        if (isLast || signal.aborted || init.signal?.aborted || !(error instanceof TypeError)) throw error;
        return undefined;
      });
      if (response !== undefined && (isLast || !(await isRetryable(response)))) {
        return Object.assign(response, { followsLostAttempt });
      }
      followsLostAttempt ||= response === undefined || response.status >= 500;
      // A response that broke off rejects.
      await response?.body?.cancel().catch(() => undefined);
      await sleep(retryDelayMs(attempt, response), init.signal ?? signal);
    }
  };
}

function isIdempotent(url: string, { method = 'GET', headers }: RequestInit): boolean {
  return method !== 'POST' || new Headers(headers).has('idempotency-key') || idempotentPosts.test(url);
}

async function isRetryable(response: Response): Promise<boolean> {
  const waitsTooLong = retryAfterMs(response) > maxDelayMs;
  return retryableStatuses.has(response.status) && !waitsTooLong && !(await isPermanent(response));
}

/** Whether the API says that a repetition cannot succeed, as of a limit that waiting does not lift. */
async function isPermanent(response: Response): Promise<boolean> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return (body as Partial<ErrorBody> | null | undefined)?.error?.retryable === false;
}

function retryDelayMs(attempt: number, response: Response | undefined): number {
  const requestedMs = retryAfterMs(response);
  return requestedMs > 0 ? requestedMs : firstDelayMs * 2 ** (attempt - 1);
}

/** NaN without a response, and for a date. */
function retryAfterMs(response: Response | undefined): number {
  return Number(response?.headers.get('retry-after')) * 1000;
}
