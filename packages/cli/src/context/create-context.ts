import { createClient } from '@media-jobs/client';
import { detectInvocation, readServiceAccess } from '../environment.ts';
import { createProgressView, type OutputStream, silentProgressView } from '../show/progress-view.ts';
import { formatJson, sanitizeText } from '../show/sanitize.ts';
import { forTerminal } from '../show/terminal-text.ts';
import { apiFetch } from './api-fetch.ts';
import type { CommandContext, FailureHint, ProcessContext } from './command-context.ts';

/** Creates the context of one run. `failureHint` gives the last hint that the command set. */
export function createContext(
  processContext: ProcessContext,
  { isJson }: { isJson: boolean },
): CommandContext & { failureHint(): FailureHint | undefined } {
  const { environment, workingDirectory, out, err, signal, sleep, now, newId, readStandardInput } = processContext;
  let failureHint: FailureHint | undefined;
  let client: CommandContext['client'] | undefined;
  const written = (text: string, { isTTY, columns }: OutputStream) => {
    const clean = sanitizeText(text);
    // https://no-color.org
    return isTTY ? forTerminal(clean, { columns, hasColors: !environment.NO_COLOR }) : clean;
  };
  return {
    ...detectInvocation(environment, workingDirectory),
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
      failureHint = hint;
    },
    failureHint: () => failureHint,
  };
}

function clientFor({ environment, signal, sleep }: ProcessContext): CommandContext['client'] {
  const { baseUrl, credential } = readServiceAccess(environment);
  return createClient({ baseUrl, apiKey: credential, fetch: apiFetch({ signal, sleep }) });
}
