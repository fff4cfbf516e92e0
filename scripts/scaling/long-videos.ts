import { functionSeconds } from '../../core/pricing/per-job.ts';
import { transcoderSchema } from '../../lib/settings/workers.ts';
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

/** Usage of each limit by the long video of docs/cost.md, encoded in chunks. */
const usagePerVideo: Readonly<Record<string, number>> = {
  'workers, by default': steps.prepare.seconds,
  'workers of a stage': steps.prepare.seconds,
  'Lambda executions of an account': secondsOf(steps),
  StartExecution: 1,
  'state transitions': transitionsOf({ ...steps, executions }),
  'objects put under one prefix': sumOfSteps(steps, 'puts'),
};

const newAccountLimit = {
  what: `Lambda executions of a new account, of ${newAccount.memoryMb.toLocaleString('en')} MB`,
  maximum: newAccount.executions,
  perVideo: secondsOf(longVideoSteps({ ...newAccount, executions })),
};

const chunkedLimits = Object.entries(usagePerVideo).map(([what, perVideo]) => {
  const limit = limits.find((each) => each.name === what);
  if (limit === undefined) throw new Error(`There is no limit of "${what}"`);
  return { what, maximum: limit.maxPerSecond, perVideo };
});

/** Long videos per hour within each limit of which a chunked job uses more than other jobs. */
export const longVideosPerHour = [...chunkedLimits, newAccountLimit].map((limit) => ({
  ...limit,
  perHour: (limit.maximum * 3600) / limit.perVideo,
}));
