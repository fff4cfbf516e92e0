import { overheadSeconds } from '../../../core/pricing/per-job.ts';
import {
  frameCount,
  longVideo,
  longVideoSteps,
  networkGbPerSecond,
  resultGb,
} from '../../../scripts/cost/long-video.ts';
import { longVideoMemoryMb, secondsOf } from '../../../scripts/cost/long-video-in-chunks.ts';
import { measured, measuredChunks, measuredPlan } from '../../../scripts/cost/measured.ts';
import { usedCpus } from '../../../scripts/cost/workload.ts';
import { testVideo } from '../parallel/test-video.ts';
import type { FilmRun } from './encode-film.ts';

/** Seconds of each step for the video of two hours of docs/cost.md. */
export type TwoHours = { prepare: number; slowestTask: number; join: number; total: number };

/** ffmpeg opens the files of a join one after the other: start, index, position. */
const readsOfTask = 3;

/**
 * The video of two hours, from what a film of so many minutes took and from what docs/cost.md measured for each further
 * frame, gigabyte and task, in functions of 10,240 MB. As many tasks run at once as executions are free. Start and end
 * of a function are assumed, as there.
 */
export function twoHours(
  film: FilmRun,
  { minutes, executions }: { minutes: number; executions: number },
): TwoHours {
  const { chunks, audioChunks, audio } = longVideoSteps(longVideoMemoryMb);
  const moreFrames = frameCount - minutes * 60 * testVideo.framesPerSecond;
  const moreGb = resultGb - film.resultGb;
  const moreTasks = chunks + audioChunks - film.tasks.length;
  const slowness = measured[longVideo.resolution].cpu / measured[testVideo.resolution].cpu;
  const slowest = Math.max(...film.tasks.map(({ processor }) => processor));
  const chunkSeconds = overheadSeconds + (slowest * slowness) / usedCpus(longVideoMemoryMb);
  const repeated = (count: number, seconds: number) => Array.from({ length: count }, () => seconds);
  const durations = [...repeated(audioChunks, audio.seconds), ...repeated(chunks, chunkSeconds)];
  const prepare = overheadSeconds + film.prepare.wall + moreFrames * measuredPlan.cpuSecondsPerFrame;
  const join =
    overheadSeconds +
    film.join.wall +
    moreFrames * measuredChunks.cpuSecondsPerIndexedFrame +
    moreGb * Math.max(measuredChunks.cpuSecondsPerJoinedGb, 1 / networkGbPerSecond) +
    moreGb / networkGbPerSecond +
    moreTasks * readsOfTask * measuredPlan.secondsPerRequest;
  const slowestTask = Math.max(...durations);
  return { prepare, slowestTask, join, total: prepare + secondsOf(durations, executions) + join };
}
