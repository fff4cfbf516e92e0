import { join } from 'node:path';
import type { Encoder } from '@media-jobs/video/ffmpeg';
import { filter, summarizeScores } from '@media-jobs/video/ffmpeg';
import { requireVideo } from '@media-jobs/video/probe';
import { planRecipe, type RecipeRequest } from '@media-jobs/video/recipes';
import { measureUsage } from '../bench/harness/process/processor-time.ts';
import type { Sample } from './samples.ts';

/** One encoding of a sample: its VMAF at its own size, its bit rate, and the processor seconds for each second of video. */
export type Score = { vmaf: number; kbps: number; processorSeconds: number };

/** Own size, 8 bits, paired by number. */
const pairedFrames = [filter('format', 'yuv420p'), filter('settb', '1/25'), filter('setpts', 'N')];

const limits = { timeLimitSeconds: 3600, stallSeconds: 600 };

/** Encodes a sample by a recipe and scores the result. */
export async function scoreRecipe(
  encoder: Encoder,
  { path: inputPath, probe }: Sample,
  { recipe, directory }: { recipe: RecipeRequest; directory: string },
): Promise<Score> {
  const plan = planRecipe(recipe, { probe, format: 'mkv', inputPath, outputDirectory: directory });
  const [output] = plan.outputs;
  if ('measure' in plan || output === undefined) throw new TypeError('Expected a plan of ffmpeg commands');
  const options = { ...limits, directory, signal: new AbortController().signal };
  const { processor } = await measureUsage(async () => {
    for (const command of plan.commands) await encoder.run(command, options);
  });
  const outputPath = join(directory, output.filename);
  const { sizeBytes, durationSeconds: seconds = Number.NaN } = await encoder.probe(outputPath, {
    role: 'output',
  });
  const { frameScores } = await encoder.compare(
    {
      encoded: { input: { path: outputPath, isTrusted: true }, stream: 0, filters: pairedFrames },
      source: { input: { path: inputPath }, stream: requireVideo(probe).index, filters: pairedFrames },
      model: 'vmaf_v0.6.1',
      frameInterval: 1,
      durationSeconds: seconds,
    },
    options,
  );
  const { vmaf } = summarizeScores(frameScores);
  return { vmaf, kbps: (sizeBytes * 8) / 1000 / seconds, processorSeconds: processor / seconds };
}
