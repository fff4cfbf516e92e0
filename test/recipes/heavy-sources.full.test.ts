// @module-tag nightly
// @module-tag sources

import { type ChunkedWork, chunkTasks, taskCommand } from '@media-jobs/video/chunking';
import { commandCost, expectedSeconds, sourceFlows, spread, wallSeconds } from '@media-jobs/video/cost-model';
import { argumentTexts } from '@media-jobs/video/ffmpeg';
import type { Format } from '@media-jobs/video/media';
import { inputLimitsSchema, type Probe, validateProbe } from '@media-jobs/video/probe';
import { listAssets, recipeRequestSchema } from '@media-jobs/video/recipes';
import {
  anEncoder,
  aProbe,
  aSubtitleStream,
  declared,
  encode,
  generatedFile,
  heavySources,
  manyCues,
  manyCuesFile,
  manyCuesVideo,
} from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { failureOutcome } from '../../core/jobs/outcome.ts';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { type PlannedChoice, planned } from '../builders/chunking/planned-work.ts';
import { encodeAll } from '../builders/recipes/encode-all.ts';

type Recipe = z.input<typeof recipeRequestSchema>;

/** A function of 3,008 MB on arm64. */
const processors = { count: 1.7, slowness: 1.3 };
const functionSeconds = 840;
const limits = inputLimitsSchema.parse({ durationSeconds: 43_200 });

const subtitles = 'https://media.example/a.srt';
const image = 'https://media.example/a.png';

/** Of a video, with its length in seconds. */
const videoRecipes: readonly [Format, (seconds: number) => Recipe][] = [
  ['mp4', () => ({ name: 'compress' })],
  ['mp4', () => ({ name: 'compress', maxHeight: 480 })],
  ['mp4', () => ({ name: 'transcode', codec: 'h265', preset: 'superfast' })],
  ['webm', () => ({ name: 'transcode', codec: 'vp9', preset: 'superfast' })],
  ['mp4', () => ({ name: 'transcode', codec: 'av1', preset: 'superfast' })],
  ['mov', () => ({ name: 'transcode', codec: 'prores' })],
  ['mp4', () => ({ name: 'transcode', bitrate: 4000, preset: 'superfast' })],
  ['mp4', () => ({ name: 'transcode', crf: 30, maxrate: 4000, preset: 'superfast' })],
  ['mp4', () => ({ name: 'transcode', fps: 24, preset: 'superfast' })],
  ['mp4', () => ({ name: 'remux' })],
  ['mp4', () => ({ name: 'renditions' })],
  ['m3u8', () => ({ name: 'hls', preset: 'superfast' })],
  ['mp4', () => ({ name: 'resize', height: 720 })],
  ['mp4', (seconds) => ({ name: 'clip', start: seconds > 10 ? seconds / 4 : 0, end: Math.max(0.1, seconds / 2) })],
  ['jpg', (seconds) => ({ name: 'thumbnail', at: seconds / 2 })],
  ['jpg', (seconds) => ({ name: 'thumbnails', every: Math.max(0.1, seconds / 20) })],
  ['mp3', () => ({ name: 'extract-audio' })],
  ['m4a', () => ({ name: 'extract-audio' })],
  ['mp4', () => ({ name: 'normalize-audio' })],
  ['mp4', () => ({ name: 'mute' })],
  ['mp4', () => ({ name: 'rotate', degrees: 90 })],
  ['mp4', () => ({ name: 'speed', factor: 2 })],
  ['mp4', () => ({ name: 'hdr-to-sdr' })],
  ['mp4', () => ({ name: 'watermark', image })],
  ['mp4', () => ({ name: 'burn-subtitles', subtitles })],
  ['gif', (seconds) => ({ name: 'gif', seconds: Math.min(30, seconds) })],
  ['webp', (seconds) => ({ name: 'animated-webp', seconds: Math.min(30, seconds) })],
  ['jpg', () => ({ name: 'contact-sheet' })],
  ['jpg', (seconds) => ({ name: 'sprite', every: Math.max(0.1, seconds / 100) })],
  ['json', () => ({ name: 'probe' })],
];

const audioRecipes: typeof videoRecipes = [
  ['mp3', () => ({ name: 'extract-audio' })],
  ['m4a', () => ({ name: 'extract-audio' })],
  ['flac', () => ({ name: 'extract-audio' })],
  ['mp3', () => ({ name: 'normalize-audio' })],
];

type Outcome = { rejected: string } | { taskSeconds: number[] };

/** How a job would end on the clock of a slow function: rejected while planning, or after tasks of so many seconds. */
async function outcomeOf(choice: PlannedChoice & { probe: Probe }): Promise<Outcome> {
  try {
    validateProbe(choice.probe, limits);
    const { result, cost } = await planned({
      processors,
      run,
      compare,
      inputSizeBytes: choice.probe.sizeBytes,
      ...choice,
    });
    const wholeSeconds = spread * expectedSeconds(cost, processors);
    if (result === undefined) return { taskSeconds: [wholeSeconds] };
    const { work } = result;
    const videos = work.chunks.map(({ costShare }) => wholeSeconds * costShare);
    return { taskSeconds: [...videos, ...audioSeconds(work)] };
  } catch (error) {
    const { state, error: failure } = failureOutcome(error, 'probing');
    if (state === 'failed') throw error;
    return { rejected: failure.code };
  }
}

function audioSeconds(work: ChunkedWork): number[] {
  const known = new Map([['source', sourceFlows(work.source)]]);
  const tasks = chunkTasks(work).filter(({ kind }) => kind === 'audio');
  const cpuSeconds = tasks.map(
    (task) =>
      commandCost(taskCommand(work, task, { sources: ['source'], outputPath: () => 'audio' }), known).cpuSeconds,
  );
  return cpuSeconds.map((seconds) => spread * wallSeconds(seconds, { ...processors, count: 1 }));
}

/** What a measurement of the plan would find. */
const run: PlannedChoice['run'] = async ({ outputArguments }) => ({
  arguments: argumentTexts(outputArguments),
  log: '',
});
const compare: PlannedChoice['compare'] = async () => ({ runs: [], frameScores: [93] });

/** The choice of a recipe whose files have 200,000 cues. */
function choiceOf(recipe: Recipe, format: Format): PlannedChoice {
  const probe = { ...aProbe([aSubtitleStream()]), container: 'srt' };
  return {
    recipe: recipeRequestSchema.parse(recipe),
    output: { format },
    assets: { subtitles: { path: '/tmp/a/asset-1-subtitles', probe } },
    text: manyCues(),
  };
}

async function encodeReally(path: string, format: Format, recipe: Recipe): Promise<void> {
  if (format === 'm3u8') {
    await encodeAll(path, format, recipe);
    return;
  }
  const paths = { subtitles: manyCuesFile, image: () => generatedFile('heavy-logo.png', logo) };
  const assets: Record<string, string> = {};
  for (const { name } of listAssets(recipeRequestSchema.parse(recipe))) {
    assets[name] = await paths[name as keyof typeof paths]();
  }
  await encode({ inputs: [path], assets }, format, recipe);
}

const logo = ['-f', 'lavfi', '-i', 'color=red:s=320x160', '-frames:v', '1'];

async function expectEnd(outcome: Outcome, encodeShort: () => Promise<void>): Promise<void> {
  if ('rejected' in outcome) {
    expect(outcome.rejected).toMatch(/^INPUT_(TOO_LONG|TOO_LARGE|UNSUPPORTED)$/);
    return;
  }
  expect(Math.max(...outcome.taskSeconds)).toBeLessThanOrEqual(functionSeconds);
  await encodeShort();
}

describe.each(heavySources)('$name', ({ hours, make, name }) => {
  const recipes = name.endsWith('audio') ? audioRecipes : videoRecipes;

  it.each(recipes.map(([format, recipeOf]) => ({ format, recipeOf, recipe: recipeOf(3600 * hours) })))(
    '$format: $recipe ends, or is rejected while planning',
    async ({ format, recipeOf, recipe }) => {
      const path = await make();
      const short = await anEncoder().probe(path);
      const outcome = await outcomeOf({ ...choiceOf(recipe, format), ...declared(short, hours) });
      await expectEnd(outcome, () => encodeReally(path, format, recipeOf(short.durationSeconds ?? 1)));
    },
  );
});

describe('200,000 subtitles', () => {
  it.each<[Format, Recipe]>([
    ['srt', { name: 'extract-subtitles' }],
    ['vtt', { name: 'extract-subtitles' }],
    ['mkv', { name: 'remux' }],
    ['m3u8', { name: 'hls' }],
    ['mp4', { name: 'burn-subtitles', subtitles }],
  ])('%s: %j ends', async (format, recipe) => {
    await encodeReally(await manyCuesVideo(), format, recipe);
  });

  it('are burned in by chunks', async () => {
    const assets = { subtitles: { path: await manyCuesFile(), role: 'subtitles' as const } };
    const recipe = { name: 'burn-subtitles', subtitles } as const;
    const { work } = await encodeBothWays(await manyCuesVideo(), 'mp4', recipe, { assets, targetChunkSeconds: 2000 });
    expect(work.chunks).toHaveLength(3);
  });
});
