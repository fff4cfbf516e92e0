import { createClient, retryingFetch, type Sleep } from '@media-jobs/client';
import { CliError } from '../cli-error.ts';
import { detectInvocation, readServiceAccess } from '../environment.ts';
import type { ExitName } from '../exit-codes.ts';
import { createProgressView, type OutputStream, silentProgressView } from '../show/progress-view.ts';
import { formatJson, sanitizeText } from '../show/sanitize.ts';
import { forTerminal } from '../show/terminal-text.ts';
import type { CommandContext, FailureHint, ProcessContext } from './command-context.ts';

type Outcome = { exit: ExitName; failureHint?: FailureHint };

/** Creates the context of one run. `outcome` gives what the command set last. */
export function createContext(
  processContext: ProcessContext,
  { isJson }: { isJson: boolean },
): CommandContext & { outcome: Outcome } {
  const { environment, workingDirectory, out, err, signal, sleep, now, newId, readStandardInput } = processContext;
  const invocation = detectInvocation(environment, workingDirectory);
  const outcome: Outcome = { exit: 'ok' };
  let client: CommandContext['client'] | undefined;
  const written = (text: string, { isTTY, columns }: OutputStream) => {
    const clean = sanitizeText(text);
    // https://no-color.org
    const terminal = { columns, hasColors: !environment.NO_COLOR, programName: invocation.programName };
    return isTTY ? forTerminal(clean, terminal) : clean;
  };
  return {
    ...invocation,
    get client() {
      client ??= clientFor(processContext);
      return client;
    },
    isJson,
    signal,
    sleep,
    now,
    newId,
    environment,
    readStandardInput,
    printResult: (value, text) => {
      out.write(`${isJson ? formatJson(value) : written(text, out)}\n`);
    },
    printNote: (line) => {
      if (!isJson) err.write(`${written(line, err)}\n`);
    },
    openProgressView: () => (isJson && !err.isTTY ? silentProgressView : createProgressView(err)),
    setFailureHint: (hint) => {
      outcome.failureHint = hint;
    },
    setExit: (exit) => {
      outcome.exit = exit;
    },
    outcome,
  };
}

function clientFor({ environment, signal, sleep }: ProcessContext): CommandContext['client'] {
  const { baseUrl, credential } = readServiceAccess(environment);
  return createClient({ baseUrl, apiKey: credential, fetch: apiFetch({ signal, sleep }) });
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * The `fetch` of the API client, with retries.
 * @throws CliError `usage` if the response is not one of the API
 */
function apiFetch(options: { signal: AbortSignal; sleep: Sleep }): ReturnType<typeof retryingFetch> {
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
