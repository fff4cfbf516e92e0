import { createClient } from '@media-jobs/client';
import { detectInvocation, readServiceAccess } from '../environment.ts';
import { createProgressView, silentProgressView } from '../show/progress-view.ts';
import { formatJson, sanitizeText } from '../show/sanitize.ts';
import type { CommandContext, FailureHint, ProcessContext } from './command-context.ts';
import { retryingFetch } from './retrying-fetch.ts';

/** Creates the context of one run. `failureHint` gives the last hint that the command set. */
export function createContext(
  processContext: ProcessContext,
  { isJson }: { isJson: boolean },
): CommandContext & { failureHint(): FailureHint | undefined } {
  const { environment, workingDirectory, out, err, signal, sleep, now, newId, readStandardInput } =
    processContext;
  let failureHint: FailureHint | undefined;
  let client: CommandContext['client'] | undefined;
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
      out.write(`${isJson ? formatJson(value) : sanitizeText(text)}\n`);
    },
    printNote: (line) => {
      if (!isJson) err.write(`${sanitizeText(line)}\n`);
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
  return createClient({ baseUrl, apiKey: credential, fetch: retryingFetch({ signal, sleep }) });
}
