import { createClient } from '../../client/client.ts';
import { readAccess } from '../environment.ts';
import { jsonText, plainText } from '../show/plain-text.ts';
import { noView } from '../show/progress-view.ts';
import { viewFor } from '../show/view-for.ts';
import { startedAs } from '../started-as.ts';
import { steadyFetch } from './steady-fetch.ts';
import type { Surroundings } from './surroundings.ts';
import type { Situation, Tools } from './tools.ts';

/** The tools of one run. `situation` is asked for once it has failed. */
export function createTools(
  surroundings: Surroundings,
  { isJson }: { isJson: boolean },
): Tools & { situation(): Situation | undefined } {
  const { environment, workingDirectory, out, err, signal, pause } = surroundings;
  let situation: Situation | undefined;
  let client: Tools['client'] | undefined;
  const note = (line: string) => {
    if (!isJson) err.write(`${plainText(line)}\n`);
  };
  return {
    ...startedAs(environment, workingDirectory),
    get client() {
      client ??= clientFor(surroundings);
      return client;
    },
    isJson,
    signal,
    pause,
    now: surroundings.now,
    newId: surroundings.newId,
    answer: (value, text) => {
      out.write(`${isJson ? jsonText(value) : plainText(text)}\n`);
    },
    note,
    // Beside JSON nothing is written but where a person sees it.
    progress: () => (isJson && !err.isTTY ? noView : viewFor(err)),
    nowThat: (now) => {
      situation = now;
    },
    situation: () => situation,
  };
}

function clientFor({ environment, signal, pause }: Surroundings): Tools['client'] {
  const { baseUrl, credential } = readAccess(environment);
  return createClient({ baseUrl, apiKey: credential, fetch: steadyFetch({ signal, pause }) });
}
