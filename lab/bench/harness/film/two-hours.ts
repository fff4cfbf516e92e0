import { cpusOf, wallSeconds } from '@media-jobs/video/cost-model';
import { overheadSeconds } from '../../../../core/pricing/per-job.ts';
import { recipeCost } from '../../../cost/recipe-forecast.ts';
import { testVideo } from '../parallel/test-video.ts';
import type { FilmRun } from './encode-film.ts';
import {
  carriedGb,
  chunksOf,
  concurrentRequests,
  longVideo,
  longVideoCost,
  longVideoMemoryMb,
  networkGbPerSecond,
  requestsPerChunk,
} from './long-video.ts';
import { measuredChunks, measuredPlan } from './measured.ts';

/** Seconds of each step for the video of two hours. */
export type TwoHours = { prepare: number; slowestTask: number; join: number; total: number };

/**
 * The video of two hours, from what a film of so many minutes took and from what was measured for each further
 * frame, gigabyte and task, in functions of 10,240 MB. As many tasks run at once as executions are free. Start and end
 * of a function are assumed. A vCPU is one of this machine: the cost model assumes that those of Lambda are slower.
 */
export function twoHours(film: FilmRun, { minutes, executions }: { minutes: number; executions: number }): TwoHours {
  const chunks = chunksOf(executions);
  const moreFrames = longVideo.durationSeconds * longVideo.framesPerSecond - minutes * 60 * testVideo.framesPerSecond;
  const moreGb = carriedGb(longVideoCost.outputBytes / 1e9, chunks) - carriedGb(film.resultGb, film.tasks.length);
  const moreTasks = chunks - film.tasks.length;
  const { cpuSeconds } = recipeCost({ ...testVideo, durationSeconds: longVideo.durationSeconds });
  const costRatio = longVideoCost.cpuSeconds / cpuSeconds;
  const slowest = Math.max(...film.tasks.map(({ processor }) => processor));
  const lengthRatio = workOfChunk(longVideo.durationSeconds / chunks) / workOfChunk((minutes * 60) / film.tasks.length);
  const processors = { count: cpusOf(longVideoMemoryMb), slowness: 1 };
  const slowestTask = overheadSeconds + wallSeconds(slowest * lengthRatio * costRatio, processors);
  const prepare = overheadSeconds + film.prepare.wall + moreFrames * measuredPlan.cpuSecondsPerFrame;
  const join =
    overheadSeconds +
    film.join.wall +
    moreFrames * measuredChunks.cpuSecondsPerAssembledFrame +
    moreGb / networkGbPerSecond +
    (moreTasks * requestsPerChunk * measuredPlan.secondsPerRequest) / concurrentRequests;
  const rounds = Math.ceil(chunks / executions);
  return { prepare, slowestTask, join, total: prepare + rounds * slowestTask + join };
}

/** In seconds of the video. */
function workOfChunk(seconds: number): number {
  return seconds + measuredChunks.prerollSeconds;
}
