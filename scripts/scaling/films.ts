import { transcoderSchema } from '../../lib/worker-settings.ts';
import { filmMemoryMb, transitionsOf } from '../cost/film-in-chunks.ts';
import { type FilmSteps, filmSteps, sumOfSteps } from '../cost/film-steps.ts';
import { callsPerJob, functionSeconds } from '../cost/per-job.ts';
import { limits } from './limits.ts';

const steps = filmSteps(filmMemoryMb);

/** What a new account has until more is granted. */
const newAccount = { executions: 10, memoryMb: transcoderSchema.parse({}).memoryMb };

/** Seconds of all functions, those that any job takes included. */
function secondsOf(steps: FilmSteps): number {
  return sumOfSteps(steps, 'seconds') + functionSeconds(0);
}

/** What the film of docs/cost.md takes of a limit, by the name that this has among them, when it is encoded in parts. */
const perFilm: Readonly<Record<string, number>> = {
  'workers, by default': steps.prepare.seconds,
  'workers of a stage': steps.prepare.seconds,
  'Lambda executions of an account': secondsOf(steps),
  StartExecution: 1 + callsPerJob('sfn.StartExecution'),
  'state transitions': transitionsOf(steps) + callsPerJob('sfn.Transition'),
  'objects put under one prefix': sumOfSteps(steps, 'puts'),
};

const ofNewAccount = {
  what: `Lambda executions of a new account, of ${newAccount.memoryMb.toLocaleString('en')} MB`,
  most: newAccount.executions,
  taken: secondsOf(filmSteps(newAccount.memoryMb)),
};

const ofLimits = Object.entries(perFilm).map(([what, taken]) => {
  const limit = limits.find((each) => each.what === what);
  if (limit === undefined) throw new Error(`There is no limit of "${what}"`);
  return { what, most: limit.most, taken };
});

/** The limits that a film in parts takes more of than other jobs: how many there may be in an hour. */
export const filmsAnHour = [...ofLimits, ofNewAccount].map((limit) => ({
  ...limit,
  anHour: (limit.most * 3600) / limit.taken,
}));
