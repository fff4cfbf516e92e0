import { retryingFetch, type Sleep } from '@media-jobs/client';
import { CliError } from '../cli-error.ts';

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * The `fetch` of the API client, with retries.
 * @throws CliError `usage` if the response is not one of the API
 */
export function apiFetch(options: { signal: AbortSignal; sleep: Sleep }): ReturnType<typeof retryingFetch> {
  const send = retryingFetch({ ...options, fetch: (url, init) => fetch(url, { ...init, redirect: 'manual' }) });
  return async (url, init) => requireApiResponse(await send(url, init));
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
