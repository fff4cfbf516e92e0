import { transcoderSchema } from '../../lib/worker-settings.ts';
import { filmMemoryMb, transitionsOf } from '../cost/film-in-chunks.ts';
import { filmSteps } from '../cost/film-steps.ts';
import { callsPerJob, functionSeconds } from '../cost/per-job.ts';
import { limits } from './limits.ts';

const { prepare, chunks } = filmSteps(filmMemoryMb);

/** Of all functions together that work on the film. */
function sum(of: 'seconds' | 'puts', memoryMb = filmMemoryMb): number {
  const { prepare, chunk, sound, join, chunks } = filmSteps(memoryMb);
  return prepare[of] + chunks * chunk[of] + sound[of] + join[of];
}

/** What a new account has until more is granted. */
const newAccount = { executions: 10, memoryMb: transcoderSchema.parse({}).memoryMb };

/** What the film of docs/cost.md takes of a limit, by the name that this has among them, when it is encoded in parts. */
const perFilm: Readonly<Record<string, number>> = {
  'workers, by default': prepare.seconds,
  'workers of a stage': prepare.seconds,
  'Lambda executions of an account': sum('seconds') + functionSeconds(0),
  StartExecution: 1 + callsPerJob('sfn.StartExecution'),
  'state transitions': transitionsOf({ chunks }) + callsPerJob('sfn.Transition'),
  'objects put under one prefix': sum('puts'),
};

const ofNewAccount = {
  what: `Lambda executions of a new account, of ${newAccount.memoryMb.toLocaleString('en')} MB`,
  most: newAccount.executions,
  taken: sum('seconds', newAccount.memoryMb) + functionSeconds(0),
};

const taken = limits.flatMap(({ what, most }) => {
  const taken = perFilm[what];
  return taken === undefined ? [] : { what, most, taken };
});

/** The limits that a film in parts takes more of than other jobs: how many there may be in an hour. */
export const filmsAnHour = [...taken, ofNewAccount].map((limit) => ({
  ...limit,
  anHour: (limit.most * 3600) / limit.taken,
}));
