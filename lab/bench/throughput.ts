import { join } from 'node:path';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { recipeRequestSchema } from '@media-jobs/video/recipes';
import { makeClip } from '../../lib/local/sample.ts';
import { divideCapacity } from '../../lib/settings/capacity.ts';
import { settingsSchema } from '../../lib/settings/settings.ts';
import { type Benchmark, figure } from './harness/figures/figure.ts';
import { pairedRatios } from './harness/figures/pairs.ts';
import { barePoolSeconds } from './harness/jobs/bare-pool.ts';
import { serveFile } from './harness/jobs/file-server.ts';
import { jobsSeconds } from './harness/jobs/jobs-seconds.ts';
import { benchStage } from './harness/stage/bench-stage.ts';

const jobs = { whole: 90, quick: 50 };
/** The default maximum of concurrent jobs of a stage. */
const { workers: atOnce } = divideCapacity(settingsSchema.parse({ stage: 'bench' }));
/** The duration of a clip that ffmpeg encodes in about one second, two at a time on two CPUs. */
const clipSeconds = 3.5;
const pairs = { whole: 3, quick: 2 };
const goal = 1.15;
const recipe = recipeRequestSchema.parse({ name: 'compress', crf: 28 });

/** The overhead of the whole service under overload. */
export const throughput: Benchmark = {
  name: 'throughput',
  question: `How long are ${jobs.whole} jobs of about a second that are submitted together, from the first POST to the last end?`,
  baseline: `as many runs of ffmpeg alone with the same arguments, ${atOnce} at a time by p-limit (lab/bench/harness/jobs/bare-pool.ts)`,
  run: async (print, { extent }) => {
    await using cleanup = new AsyncDisposableStack();
    const { client, directory } = cleanup.use(await benchStage());
    const path = join(directory, 'in.mp4');
    await makeClip({ ffmpeg: findFfmpeg(process.env).ffmpeg, path, seconds: clipSeconds });
    const input = await serveFile(path);
    cleanup.defer(input.close);

    const format = 'mp4' as const;
    const body = { mode: 'recipe' as const, input: { url: input.url }, output: { format }, recipe };
    const work = { files: { inputs: [path] }, recipe, format, inPlace: true };
    const report = (side: string, seconds: number) => {
      print(
        `  ${side}: ${seconds.toFixed(1)} s, ${((seconds * atOnce) / jobs[extent]).toFixed(2)} s of a slot for each`,
      );
      return seconds;
    };
    const subject = async () => report('the service', await jobsSeconds(client, body, jobs[extent]));
    const baseline = async () =>
      report(
        'ffmpeg alone',
        await barePoolSeconds({ ...work, environment: process.env }, { count: jobs[extent], atOnce }),
      );
    return [figure('throughput', await pairedRatios({ subject, baseline }, { pairs: pairs[extent] }), goal)];
  },
};
