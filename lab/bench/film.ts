import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { type Benchmark, figure } from './harness/figures/figure.ts';
import { encodeFilm } from './harness/film/encode-film.ts';
import { networkGbPerSecond } from './harness/film/long-video.ts';
import { measuredPlan } from './harness/film/measured.ts';
import { twoHours } from './harness/film/two-hours.ts';
import { makeTestVideo } from './harness/parallel/test-video.ts';
import type { Usage } from './harness/process/processor-time.ts';

/** Chunks of a minute need more than two of them. */
const minutes = { whole: 6, quick: 3 };

/** Minutes for two hours, by the executions that are free. */
const goals = { 40: 3, 200: 1.5, 1000: 1 };

const network = {
  latencyMs: 1000 * measuredPlan.secondsPerRequest,
  bytesPerSecond: 1e9 * networkGbPerSecond,
};

/** A film through the functions, and what follows for two hours. */
export const film: Benchmark = {
  name: 'film',
  question: `How many minutes does a video of two hours take with 40, 200 and 1,000 executions, by what the functions of a local stage take for a film of ${minutes.whole} minutes, with the latency and bandwidth of S3?`,
  baseline: 'one minute; the video is 1080p at 30 fps, compressed with crf 28 in functions of 10,240 MB',
  run: async (print, { extent }) => {
    await using cleanup = new AsyncDisposableStack();
    const directory = await mkdtemp(join(tmpdir(), 'bench-film-'));
    cleanup.defer(() => rm(directory, { recursive: true, force: true }));
    const path = join(directory, 'film.mp4');
    print(`  generating ${minutes[extent]} minutes of 720p`);
    await makeTestVideo({ ffmpeg: findFfmpeg(process.env).ffmpeg, path, minutes: minutes[extent] });
    const run = await encodeFilm(path, network);
    print(`  the job: ${run.seconds.toFixed(1)} s`);
    print(`  transcode: ${text(run.prepare)}`);
    for (const usage of run.tasks) print(`  encode-chunk: ${text(usage)}`);
    print(`  join-chunks: ${text(run.join)}`);
    return Object.entries(goals).map(([executions, goal]) => {
      const hours = twoHours(run, { minutes: minutes[extent], executions: Number(executions) });
      const { prepare, slowestTask, join: joining, total } = hours;
      const parts = `plan ${prepare.toFixed(1)} s, longest task ${slowestTask.toFixed(1)} s, join ${joining.toFixed(1)} s`;
      print(`  two hours with ${executions} executions: ${total.toFixed(1)} s; ${parts}`);
      return figure(`film-2h-${executions}`, [total / 60], goal);
    });
  },
};

function text({ wall, processor }: Usage): string {
  return `${wall.toFixed(2)} s, ${processor.toFixed(2)} s of processors`;
}
