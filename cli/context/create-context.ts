import { createClient } from '../../client/client.ts';
import { readServiceAccess } from '../environment.ts';
import { detectInvocation } from '../invocation.ts';
import { silentProgressView } from '../show/progress-view.ts';
import { formatJson, sanitizeText } from '../show/sanitize.ts';
import { createProgressView } from '../show/view-for.ts';
import type { CommandContext, FailureHint } from './command-context.ts';
import type { ProcessContext } from './process-context.ts';
import { retryingFetch } from './retrying-fetch.ts';

/** The tools of one run. `situation` is asked for once it has failed. */
export function createContext(
  surroundings: ProcessContext,
  { isJson }: { isJson: boolean },
): CommandContext & { situation(): FailureHint | undefined } {
  const { environment, workingDirectory, out, err, signal, pause } = surroundings;
  let situation: FailureHint | undefined;
  let client: CommandContext['client'] | undefined;
  const printNote = (line: string) => {
    if (!isJson) err.write(`${sanitizeText(line)}\n`);
  };
  return {
    ...detectInvocation(environment, workingDirectory),
    get client() {
      client ??= clientFor(surroundings);
      return client;
    },
    isJson,
    signal,
    pause,
    now: surroundings.now,
    newId: surroundings.newId,
    printResult: (value, text) => {
      out.write(`${isJson ? formatJson(value) : sanitizeText(text)}\n`);
    },
    printNote,
    // Beside JSON nothing is written but where a person sees it.
    openProgressView: () => (isJson && !err.isTTY ? silentProgressView : createProgressView(err)),
    setFailureHint: (now) => {
      situation = now;
    },
    situation: () => situation,
  };
}

function clientFor({ environment, signal, pause }: ProcessContext): CommandContext['client'] {
  const { baseUrl, credential } = readServiceAccess(environment);
  return createClient({ baseUrl, apiKey: credential, fetch: retryingFetch({ signal, pause }) });
}
