import type { Sleep } from '../../client/upload-retry.ts';
import { CliError } from '../cli-error.ts';

export type RetryingFetchOptions = { signal: AbortSignal; pause: Sleep; fetch?: typeof fetch };

const mostTries = 3;
const firstPauseMs = 500;
const longestPauseMs = 10_000;
const passing = new Set([429, 500, 502, 503, 504]);
const leadingOn = new Set([301, 302, 303, 307, 308]);

/**
 * The fetch of this program's client. What may be asked twice without harm is asked up to three times where the
 * network or the service fails; every request ends with the signal.
 */
export function retryingFetch({ signal, pause, fetch: send = fetch }: RetryingFetchOptions): typeof fetch {
  return async (url, init = {}) => {
    const tries = isRepeatable(init) ? mostTries : 1;
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= tries;
      const answer = await send(url, { ...init, redirect: 'manual', signal: init.signal ?? signal }).catch(
        (error: unknown) => {
          if (isLast || signal.aborted) throw error;
          return undefined;
        },
      );
      if (answer !== undefined && (isLast || !passing.has(answer.status))) return fromService(answer);
      await answer?.body?.cancel();
      await pause(pauseMs(attempt, answer), signal);
    }
  };
}

function isRepeatable({ method = 'GET', headers }: RequestInit): boolean {
  return method !== 'POST' || new Headers(headers).has('idempotency-key');
}

function pauseMs(attempt: number, answer: Response | undefined): number {
  const asked = Number(answer?.headers.get('retry-after')) * 1000;
  return asked > 0 ? Math.min(asked, longestPauseMs) : firstPauseMs * 2 ** (attempt - 1);
}

/**
 * A page that a website answers with is a success too, but nothing of ours; nor does the API lead on to anywhere: where
 * it seems to, the key would be left behind, and a POST turn into a GET.
 */
function fromService(answer: Response): Response {
  if (leadingOn.has(answer.status)) {
    const place = URL.parse(answer.headers.get('location') ?? '', answer.url)?.origin ?? 'another place';
    throw new CliError('usage', `What answers at MEDIA_JOBS_URL leads on to ${place}.`, {
      hint: 'Set MEDIA_JOBS_URL to the address of the service itself.',
    });
  }
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  if (!answer.ok || answer.status === 204 || isJson) return answer;
  throw new CliError('usage', 'What answers at MEDIA_JOBS_URL is not this service.');
}
