import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { JobError } from '../../src/errors.ts';
import type { Format } from '../../src/media/formats.ts';
import { forecastGraph } from '../../src/recipes/graph/forecast-graph.ts';
import { assignFormats } from '../../src/recipes/graph/steps.ts';
import { planRecipe, recipeRequestSchema } from '../../src/recipes/registry.ts';
import { aProbe, aVideoStream } from '../builders/media/a-probe.ts';
import { outputLine } from '../builders/recipes/plan.ts';

type RecipeRequest = z.input<typeof recipeRequestSchema>;

const durationSeconds = 10;
const uhd = aProbe([aVideoStream({ width: 3840, height: 2160, durationSeconds })], { durationSeconds });

/** The memory of a function in a new AWS account, and the most that Lambda has. */
const newAccount = { sizeBytes: 3008 * 2 ** 20, cpuCount: 2 };
const largest = { sizeBytes: 10_240 * 2 ** 20, cpuCount: 6 };

type Options = { format?: Format; memory?: typeof newAccount | undefined };

/** The arguments that a recipe encodes a 4K video with. @throws JobError if its plan is rejected */
function argumentsFor(recipe: RecipeRequest, { format = 'mp4', memory }: Options): string {
  const paths = { inputPath: '/in', outputDirectory: '/out', canCompare: true };
  const plan = planRecipe(recipeRequestSchema.parse(recipe), { probe: uhd, format, memory, ...paths });
  const [task] = 'commands' in plan ? plan.commands : plan.measure;
  return task !== undefined && 'outputArguments' in task ? outputLine(task) : '';
}

/** The error that a function throws. */
function errorOf(action: () => unknown): JobError {
  try {
    action();
  } catch (error) {
    if (error instanceof JobError) return error;
    throw error;
  }
  throw new Error('Expected a JobError, found none');
}

const fewerFrames = /rc-lookahead=10|lp=1/;

describe('a 4K encoding on a worker of 3,008 MB', () => {
  it.each<[string, RecipeRequest, Format]>([
    ['compress', { name: 'compress' }, 'mp4'],
    ['HLS', { name: 'hls', maxHeight: 2160 }, 'm3u8'],
    ['VP9', { name: 'transcode', codec: 'vp9' }, 'webm'],
    ['x265', { name: 'transcode', codec: 'h265' }, 'mp4'],
  ])('fits as it is: %s', (_, recipe, format) => {
    const planned = argumentsFor(recipe, { format, memory: newAccount });
    expect(planned).toBe(argumentsFor(recipe, { format }));
    expect(planned).not.toMatch(fewerFrames);
  });

  it.each<[string, RecipeRequest, Format]>([
    ['compress, preset slower', { name: 'compress', preset: 'slower' }, 'mp4'],
    ['HLS, preset medium', { name: 'hls', maxHeight: 2160, preset: 'medium' }, 'm3u8'],
    ['x265, preset medium', { name: 'transcode', codec: 'h265', preset: 'medium' }, 'mp4'],
    ['SVT-AV1', { name: 'transcode', codec: 'av1' }, 'mp4'],
    ['SVT-AV1 for a target VMAF', { name: 'transcode', codec: 'av1', targetVmaf: 93 }, 'mp4'],
  ])('buffers fewer frames: %s', (_, recipe, format) => {
    expect(argumentsFor(recipe, { format, memory: newAccount })).toMatch(fewerFrames);
    expect(argumentsFor(recipe, { format, memory: largest })).toBe(argumentsFor(recipe, { format }));
  });

  it.each<[string, RecipeRequest, RegExp]>([
    [
      'x265, preset slower',
      { name: 'transcode', codec: 'h265', preset: 'slower' },
      /^Encoding 3840x2160 with h265 and the preset slower needs about \d{4} MB of memory; the worker has 2578 MB for it\. Choose .*; the service's operator can raise transcoder\.memoryMb, or set fargate$/,
    ],
    [
      'three sizes by SVT-AV1',
      { name: 'renditions', codec: 'av1', heights: [2160, 1440, 1080] },
      /^Encoding 3840x2160, 2560x1440, 1920x1080 with av1 and the preset fast needs about \d{4} MB of memory/,
    ],
  ])('is rejected before it is encoded: %s', (_, recipe, message) => {
    const jobError = errorOf(() => argumentsFor(recipe, { memory: newAccount }));
    expect(jobError).toMatchObject({ code: 'INPUT_TOO_LARGE', retryable: false });
    expect(jobError.message).toMatch(message);
    expect(argumentsFor(recipe, { memory: largest })).toBe(argumentsFor(recipe, {}));
  });

  it('is rejected before an earlier step of the pipeline is encoded, and the error names the step', () => {
    const recipes: RecipeRequest[] = [{ name: 'mute' }, { name: 'transcode', codec: 'h265', preset: 'slower' }];
    const requests = recipes.map((recipe) => ({ recipe: recipeRequestSchema.parse(recipe) }));
    const files = { inputs: [{ path: '/in', probe: uhd }], assets: [{}, {}], canCompare: false };
    const validate = () => forecastGraph(assignFormats(requests, 'mp4'), { ...files, memory: newAccount });
    expect(errorOf(validate).message).toMatch(/^Step 2 \(transcode\): Encoding 3840x2160/);
  });
});

it('clips of a concatenation all buffer as many frames as the largest one allows', () => {
  const small = aProbe([aVideoStream({ durationSeconds })], { durationSeconds });
  const files = [small, uhd].map((probe, index) => ({ path: `/in-${index}`, probe }));
  const recipe = recipeRequestSchema.parse({ name: 'concat', width: 5120, height: 2880 });
  const paths = { inputPath: '/in-0', outputDirectory: '/out', format: 'mp4' as const };
  const plan = planRecipe(recipe, { ...paths, probe: small, inputs: files, memory: newAccount });
  const [first] = 'measure' in plan ? plan.measure : [];
  expect(first && 'outputArguments' in first && outputLine(first)).toMatch(fewerFrames);
});
