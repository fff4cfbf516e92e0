// @module-tag nightly
// @module-tag quality
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeAll, expect, it } from 'vitest';
import type * as z from 'zod';
import { availableBytes, peakMemoryBytes } from '../../src/encoding/encoder-memory.ts';
import type { LadderEncoding, VideoEncoding } from '../../src/encoding/encoding.ts';
import { outputSizes } from '../../src/encoding/encoding.ts';
import type { Format } from '../../src/media/formats.ts';
import type { Probe } from '../../src/media/probe/probe.ts';
import { requireVideo } from '../../src/media/probe/streams.ts';
import { planRecipe, recipeRequestSchema } from '../../src/recipes/registry.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { anEncoder } from '../builders/recipes/encode.ts';

/** The memory and CPUs of a function in a new AWS account. */
const memory = { sizeBytes: 3008 * 2 ** 20, cpuCount: 2 };

/** Ends a run with an error once this process and ffmpeg have more than the worker. */
const encoder = anEncoder({ limits: { memoryBytes: memory.sizeBytes } });

let inputPath: string;
let probe: Probe;

beforeAll(async () => {
  inputPath = await generatedFile('uhd.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=3840x2160:rate=25', '-frames:v', '70'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
  ]);
  probe = await encoder.probe(inputPath);
});

type RecipeRequest = z.input<typeof recipeRequestSchema>;

/** Encodes the 4K video as a worker of 3,008 MB does; returns the peak of ffmpeg and the estimate, in bytes. */
async function encodeWithin(recipe: RecipeRequest, format: Format) {
  const directory = await aTemporaryFolder();
  const request = recipeRequestSchema.parse(recipe);
  const plan = planRecipe(request, { probe, format, memory, inputPath, outputDirectory: directory });
  if ('measure' in plan || plan.encoding === undefined) throw new Error(`${recipe.name} has no encoding`);
  const [command] = plan.commands;
  if (command === undefined) throw new Error(`${recipe.name} has no command`);
  // ffmpeg prints its largest resident set at its end.
  const measured = { ...command, outputArguments: ['-benchmark', ...command.outputArguments] };
  const options = { directory, timeLimitSeconds: 1_800, stallSeconds: 300 };
  const { log } = await encoder.run(measured, { ...options, signal: new AbortController().signal });
  const [, kibibytes] = /bench: maxrss=(\d+)KiB/.exec(log) ?? [];
  const encoding: VideoEncoding | LadderEncoding = plan.encoding;
  const use = { ...encoding, sizes: outputSizes(encoding), source: requireVideo(probe) };
  const { cpuCount } = memory;
  return { peak: Number(kibibytes) * 1024, estimate: peakMemoryBytes({ ...use, cpuCount }) };
}

it.each<[string, RecipeRequest, Format]>([
  ['a ladder of seven sizes by x264', { name: 'hls', maxHeight: 2160 }, 'm3u8'],
  ['the same with a slower preset', { name: 'hls', maxHeight: 2160, preset: 'medium' }, 'm3u8'],
  ['10 bit by x265', { name: 'transcode', codec: 'h265' }, 'mp4'],
  ['10 bit by SVT-AV1', { name: 'transcode', codec: 'av1' }, 'mp4'],
])('a worker of 3,008 MB encodes 2160p, and ffmpeg needs no more than estimated %s', async (_, recipe, format) => {
  const { peak, estimate } = await encodeWithin(recipe, format);
  expect(peak).toBeGreaterThan(0);
  expect(peak).toBeLessThanOrEqual(estimate);
  expect(estimate).toBeLessThanOrEqual(availableBytes(memory));
});

it('a worker of 3,008 MB rejects 2160p in 10 bit by x265 with the slowest preset before it encodes', async () => {
  const slowest: RecipeRequest = { name: 'transcode', codec: 'h265', preset: 'slower' };
  await expect(encodeWithin(slowest, 'mp4')).rejects.toMatchObject({
    code: 'INPUT_TOO_LARGE',
    message: expect.stringMatching(/needs about \d+ MB of memory; the worker has \d+ MB for it/),
  });
});
