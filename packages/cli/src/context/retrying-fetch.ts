import type { ClientOptions, Sleep } from '@media-jobs/client';
import type { ErrorBody } from '@media-jobs/core/api';
import { CliError } from '../cli-error.ts';

export type RetryingFetchOptions = { signal: AbortSignal; sleep: Sleep; fetch?: typeof fetch };

const maxAttempts = 3;
const firstDelayMs = 500;
const maxDelayMs = 10_000;
const retryableStatuses = new Set([429, 500, 502, 503, 504]);
/** POSTs whose repetition changes nothing: a cancelled job stays cancelled, and an estimate creates nothing. */
const idempotentPosts = /\/(?:cancel|estimate)$/;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * The `fetch` of the API client. Idempotent requests get up to three attempts when the network or the service fails,
 * fewer if the service asks for a longer wait. Every request aborts with the signal.
 * @throws CliError `usage` if the response is not one of the API
 */
export function retryingFetch({
  signal,
  sleep,
  fetch: send = fetch,
}: RetryingFetchOptions): NonNullable<ClientOptions['fetch']> {
  return async (url, init) => {
    let followsLostAttempt = false;
    const attempts = isIdempotent(url, init) ? maxAttempts : 1;
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= attempts;
      const response = await send(url, { ...init, redirect: 'manual', signal: init.signal ?? signal }).catch(
        (error: unknown) => {
          if (isLast || signal.aborted) throw error;
          return undefined;
        },
      );
      if (response !== undefined && (isLast || !(await isRetryable(response)))) {
        return Object.assign(requireApiResponse(response), { followsLostAttempt });
      }
      followsLostAttempt ||= response === undefined || response.status >= 500;
      // A response that broke off rejects.
      await response?.body?.cancel().catch(() => undefined);
      await sleep(retryDelayMs(attempt, response), signal);
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

/**
 * Rejects responses of anything but the API: redirects, and successful pages that are not JSON. The API never
 * redirects. Following a redirect would drop the key and turn a POST into a GET.
 */
function requireApiResponse(response: Response): Response {
  if (redirectStatuses.has(response.status)) {
    const target = URL.parse(response.headers.get('location') ?? '', response.url)?.origin ?? 'an unknown address';
    throw new CliError('usage', `The server at MEDIA_JOBS_URL redirects to ${target}.`, {
      hint: 'Set MEDIA_JOBS_URL to the address of the service itself.',
    });
  }
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  if (!response.ok || response.status === 204 || isJson) return response;
  throw new CliError('usage', 'The server at MEDIA_JOBS_URL is not a media jobs service: its response is not JSON.', {
    hint: 'Set MEDIA_JOBS_URL to the address of the service itself.',
  });
}
