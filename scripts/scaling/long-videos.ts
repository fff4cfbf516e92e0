import { functionSeconds } from '../../core/pricing/per-job.ts';
import { maxConcurrentJoins, transcoderSchema } from '../../lib/settings/workers.ts';
import { type LongVideoSteps, longVideoSteps, sumOfSteps } from '../cost/long-video.ts';
import { longVideoMemoryMb, transitionsOf } from '../cost/long-video-in-chunks.ts';
import { limits } from './limits.ts';

/** In each of many videos at once. */
const executions = 40;

const steps = longVideoSteps({ memoryMb: longVideoMemoryMb, executions });

/** Default quotas of a new account. */
const newAccount = { executions: 10, memoryMb: transcoderSchema.parse({}).memoryMb };

/** Total duration of all functions, including those of every job. */
function secondsOf(steps: LongVideoSteps): number {
  return sumOfSteps(steps, 'seconds') + functionSeconds(0);
}

const ofAccount = 'Lambda executions of an account';

/** Usage of each limit by the long video of docs/cost.md, encoded in chunks. */
const usagePerVideo: Readonly<Record<string, number>> = {
  'workers, by default': steps.prepare.seconds,
  'workers of a stage': steps.prepare.seconds,
  [ofAccount]: secondsOf(steps),
  StartExecution: 1,
  'state transitions': transitionsOf({ ...steps, executions }),
  'objects put under one prefix': sumOfSteps(steps, 'puts'),
};

/** Those of a stage whose chunk tasks take all executions of an account, and those of one owner. */
const joinLimits = [
  { what: 'joins', maximum: maxConcurrentJoins({ maxConcurrency: maxPerSecondOf(ofAccount) }) },
  { what: 'joins of one owner', maximum: 1 },
].map((limit) => ({ ...limit, perVideo: steps.join.seconds }));

/** One answer of each chunk task and of the join. */
const taskAnswers = { what: 'SendTaskSuccess', maximum: 500, perVideo: steps.chunks + 1 };

const newAccountLimit = {
  what: `Lambda executions of a new account, of ${newAccount.memoryMb.toLocaleString('en')} MB`,
  maximum: newAccount.executions,
  perVideo: secondsOf(longVideoSteps({ ...newAccount, executions })),
};

const chunkedLimits = Object.entries(usagePerVideo).map(([what, perVideo]) => {
  return { what, maximum: maxPerSecondOf(what), perVideo };
});

function maxPerSecondOf(what: string): number {
  const limit = limits.find((each) => each.name === what);
  if (limit === undefined) throw new Error(`There is no limit of "${what}"`);
  return limit.maxPerSecond;
}

/** Long videos per hour within each limit of which a chunked job uses more than other jobs. */
export const longVideosPerHour = [...chunkedLimits, taskAnswers, ...joinLimits, newAccountLimit].map(
  (limit) => ({
    ...limit,
    perHour: (limit.maximum * 3600) / limit.perVideo,
  }),
);
