import type { Client } from '../client/client.ts';
import { recipeRequestSchema } from '../core/recipes/registry.ts';
import { type Benchmark, figure } from './harness/figures/figure.ts';
import { pairedRatios } from './harness/figures/pairs.ts';
import { bareFfmpegSeconds } from './harness/jobs/bare-ffmpeg.ts';
import { servedClip } from './harness/jobs/served-clip.ts';
import { submitAndFollow } from './harness/jobs/submit-and-follow.ts';
import { benchStage } from './harness/stage/bench-stage.ts';

const recipe = recipeRequestSchema.parse({ name: 'compress', crf: 28 });
const pairs = { whole: 5, quick: 3 };
const goal = 1.1;

/** The allowance of a job in addition to its encoding: start, download, probe, verification, upload and record. */
const allowanceSeconds = 1;

/** The overhead of the whole service on ffmpeg, for a clip of 10 s. */
export const job: Benchmark = {
  name: 'job',
  question: `How long is a job, from POST to completed and less ${allowanceSeconds} s, compared with ffmpeg alone?`,
  baseline:
    'ffmpeg with the exact arguments of the job, on the same input (bench/harness/jobs/bare-ffmpeg.ts)',
  run: async (print, { extent }) => {
    await using cleanup = new AsyncDisposableStack();
    const { client, directory } = cleanup.use(await benchStage());
    const input = await servedClip(directory);
    cleanup.defer(input.close);

    const subject = async () => (await jobSeconds(client, input.url)) - allowanceSeconds;
    const baseline = () => bareFfmpegSeconds(input.path, recipe, 'mp4');
    const onPair = (pair: number, ratio: number) =>
      print(`  pair ${pair} of ${pairs[extent]}: ${ratio.toFixed(3)}`);
    return [figure('job', await pairedRatios({ subject, baseline }, { pairs: pairs[extent], onPair }), goal)];
  },
};

async function jobSeconds(client: Client, url: string): Promise<number> {
  const body = { mode: 'recipe' as const, input: { url }, output: { format: 'mp4' as const }, recipe };
  return (await submitAndFollow(client, body)).seconds;
}
