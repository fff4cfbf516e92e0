import { filmMemoryMb, transitionsOf } from '../cost/film-in-chunks.ts';
import { filmSteps } from '../cost/film-steps.ts';
import { callsPerJob, functionSeconds } from '../cost/per-job.ts';
import { limits } from './limits.ts';

const { prepare, chunk, sound, join, chunks } = filmSteps(filmMemoryMb);
const parts = [sound, ...Array.from({ length: chunks }, () => chunk)];
const functions = [prepare, ...parts, join];
const sum = (of: 'seconds' | 'puts') => functions.reduce((total, step) => total + step[of], 0);

/** What the film of docs/cost.md takes of a limit, by the name that this has among them, when it is encoded in parts. */
const perFilm: Readonly<Record<string, number>> = {
  'workers, by default': prepare.seconds,
  'workers of a stage': prepare.seconds,
  'Lambda executions of an account': sum('seconds') + functionSeconds(0),
  StartExecution: 1 + callsPerJob('sfn.StartExecution'),
  'state transitions': transitionsOf({ chunks }) + callsPerJob('sfn.Transition'),
  'objects put under one prefix': sum('puts'),
};

/** The limits that a film in parts takes more of than other jobs: how many there may be in an hour. */
export const filmsAnHour = limits.flatMap(({ what, most }) => {
  const taken = perFilm[what];
  return taken === undefined ? [] : { what, most, taken, anHour: (most * 3600) / taken };
});
