import { submitAndFollow } from '@media-jobs/cli/demo';
import type { Client } from '@media-jobs/client';
import { recipeRequestSchema, recipes as registry } from '@media-jobs/video/recipes';
import type { JobRequest } from '../../core/api/job-request.ts';
import { type Benchmark, figure, quantile } from './harness/figures/figure.ts';
import { pairedRatios } from './harness/figures/pairs.ts';
import { manualJobSeconds } from './harness/jobs/manual-job.ts';
import { recipeFiles, withUrls } from './harness/jobs/recipe-files.ts';
import { servedClip } from './harness/jobs/served-clip.ts';
import { benchStage } from './harness/stage/bench-stage.ts';

const pairs = { whole: 5, quick: 2 };
/** One recipe of so many is measured. */
const oneOf = { whole: 1, quick: 3 };
const goal = 1.15;

/** Recipes that do not take this clip, or do not run ffmpeg. */
const others = ['probe', 'image', 'hdr-to-sdr', 'extract-subtitles'];

/** The recipes whose overhead is measured. */
export const measuredRecipes = registry.filter((recipe) => !others.includes(recipe.name));

/** The overhead of the worker on ffmpeg in each recipe: claim, download, two probes, verification, upload, terminal write. */
export const recipes: Benchmark = {
  name: 'recipes',
  question: 'How long does the worker take for a job, from claim to end, compared with ffmpeg alone and with a script?',
  baseline:
    'ffmpeg with the exact arguments of the job, on the same 10 s clip; by hand: including the download of the clip and the upload of the outputs (lab/bench/harness/jobs/manual-job.ts)',
  run: async (print, { extent }) => {
    await using cleanup = new AsyncDisposableStack();
    const { client, directory } = cleanup.use(await benchStage());
    const clip = await servedClip(directory);
    cleanup.defer(clip.close);

    const figures = [];
    const chosen = measuredRecipes.filter((_, index) => index % oneOf[extent] === 0);
    for (const { name, example, inputCount } of chosen) {
      const { output } = example;
      const requested = recipeRequestSchema.parse(example.recipe);
      const files = await recipeFiles(requested, { clip, directory });
      for (const file of Object.values(files.assets)) cleanup.defer(file.close);
      const recipe = withUrls(requested, files);
      const worker: number[] = [];
      const ffmpeg: number[] = [];
      const hand: number[] = [];
      const probing: number[] = [];
      const inputs = files.inputs.map(({ url }) => ({ url }));
      const read = inputCount ? { inputs } : { input: inputs[0] };
      const body: JobRequest = { mode: 'recipe', ...read, output, recipe };
      const subject = async () => {
        worker.push(await workerSeconds(client, body));
        return worker.at(-1) ?? 0;
      };
      const baseline = async () => {
        const seconds = await manualJobSeconds(client, { recipe, format: output.format, files });
        ffmpeg.push(seconds.ffmpeg);
        hand.push(seconds.total);
        probing.push(seconds.probing);
        return seconds.total;
      };
      const byHand = await pairedRatios({ subject, baseline }, { pairs: pairs[extent] });
      const alone = ffmpeg.map((seconds, pair) => (worker[pair] ?? 0) / seconds).slice(1);
      figures.push(figure(`recipes/${name}`, alone, goal), figure(`recipes/${name} by hand`, byHand, goal));
      const [of, fetched, probed, all] = [ffmpeg, hand, probing, worker].map((seconds) =>
        quantile(seconds, 0.5).toFixed(2),
      );
      print(
        `  ${name}: ffmpeg alone takes ${of} s, with fetching and putting ${fetched} s; probing ${probed} s; the worker ${all} s`,
      );
    }
    return figures;
  },
};

/** Both times come from the record, which excludes polling. */
async function workerSeconds(client: Client, body: JobRequest): Promise<number> {
  const { startedAt, completedAt } = (await submitAndFollow(client, body)).job;
  return (Date.parse(completedAt ?? '') - Date.parse(startedAt ?? '')) / 1000;
}
