import { transcoderSchema } from '../../lib/settings/workers.ts';
import { longVideoMemoryMb, transitionsOf } from '../cost/long-video-in-chunks.ts';
import { type LongVideoSteps, longVideoSteps, sumOfSteps } from '../cost/long-video-steps.ts';
import { callsPerJob, functionSeconds } from '../cost/per-job.ts';
import { limits } from './limits.ts';

const steps = longVideoSteps(longVideoMemoryMb);

/** What a new account has until more is granted. */
const newAccount = { executions: 10, memoryMb: transcoderSchema.parse({}).memoryMb };

/** Seconds of all functions, those that any job takes included. */
function secondsOf(steps: LongVideoSteps): number {
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
  perVideo: secondsOf(longVideoSteps(newAccount.memoryMb)),
};

const ofLimits = Object.entries(perFilm).map(([what, perVideo]) => {
  const limit = limits.find((each) => each.name === what);
  if (limit === undefined) throw new Error(`There is no limit of "${what}"`);
  return { what, most: limit.maxPerSecond, perVideo };
});

/** The limits that a film in parts takes more of than other jobs: how many there may be in an hour. */
export const longVideosPerHour = [...ofLimits, ofNewAccount].map((limit) => ({
  ...limit,
  perHour: (limit.most * 3600) / limit.perVideo,
}));
