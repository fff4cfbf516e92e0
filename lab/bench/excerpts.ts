import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { recipeRequestSchema } from '@media-jobs/video/recipes';
import type * as z from 'zod';
import { type Benchmark, figure } from './harness/figures/figure.ts';
import { makeFullHdVideo } from './harness/jobs/full-hd-video.ts';
import { withBareRuns } from './harness/process/bare-runs.ts';
import { measureUsage } from './harness/process/processor-time.ts';

const pairs = { whole: 3, quick: 2 };
const goal = 0.15;

const minutes = { whole: 10, quick: 2 };

/** Recipes by their figures, and the seconds between two keyframes of the video that they read. */
const subjects: { name: string; recipe: z.input<typeof recipeRequestSchema>; keyframeSeconds: 2 | 10 }[] = [
  { name: 'sprite', recipe: { name: 'sprite' }, keyframeSeconds: 2 },
  { name: 'thumbnails', recipe: { name: 'thumbnails' }, keyframeSeconds: 2 },
  { name: 'sprite, exact', recipe: { name: 'sprite', every: 57, accuracy: 'frame' }, keyframeSeconds: 10 },
  {
    name: 'thumbnails, exact',
    recipe: { name: 'thumbnails', every: 57, accuracy: 'frame' },
    keyframeSeconds: 10,
  },
];

/** The processor time of recipes that take a few frames of a long video. */
export const excerpts: Benchmark = {
  name: 'excerpts',
  question: `How much processor time do frames of a video of ${minutes.whole} minutes in 1080p take: at the default intervals of 5 s (sprite) and 10 s (thumbnails), from keyframes every 2 s; and exact frames every 57 s, from keyframes every 10 s?`,
  baseline: 'decoding every frame of the same video: `ffmpeg -i VIDEO -map 0:v -f null -`',
  run: async (print, { extent }) => {
    const directory = await mkdtemp(join(tmpdir(), 'media-jobs-excerpts-'));
    try {
      const videos = {
        2: await makeVideo(directory, { keyframeSeconds: 2, minutes: minutes[extent] }),
        10: await makeVideo(directory, { keyframeSeconds: 10, minutes: minutes[extent] }),
      };
      const ratios = subjects.map((): number[] => []);
      for (let pair = 1; pair <= pairs[extent]; pair++) {
        for (const keyframeSeconds of [2, 10] as const) {
          const path = videos[keyframeSeconds];
          const all = await processorSeconds(() => ffmpeg(['-i', path, '-map', '0:v', '-f', 'null', '-']));
          for (const [index, subject] of subjects.entries()) {
            if (subject.keyframeSeconds !== keyframeSeconds) continue;
            const seconds = await recipeSeconds(path, subject.recipe);
            ratios[index]?.push(seconds / all);
            const text = `${subject.name} ${seconds.toFixed(2)} s, every frame ${all.toFixed(2)} s`;
            print(`  pair ${pair} of ${pairs[extent]}: ${text}`);
          }
        }
      }
      return subjects.map(({ name }, index) => figure(`excerpts/${name}`, ratios[index] ?? [], goal));
    } finally {
      await rm(directory, { recursive: true });
    }
  },
};

function recipeSeconds(path: string, recipe: z.input<typeof recipeRequestSchema>): Promise<number> {
  const work = {
    files: { inputs: [path] },
    recipe: recipeRequestSchema.parse(recipe),
    format: 'jpg' as const,
    environment: process.env,
  };
  return withBareRuns({ ...work, inPlace: true }, ({ run }) => processorSeconds(run));
}

async function processorSeconds(act: () => Promise<unknown>): Promise<number> {
  return (await measureUsage(act)).processor;
}

async function makeVideo(
  directory: string,
  { keyframeSeconds, minutes }: { keyframeSeconds: number; minutes: number },
): Promise<string> {
  const path = join(directory, `keyframes-${keyframeSeconds}.mp4`);
  await makeFullHdVideo({ path, keyframeSeconds, seconds: 60 * minutes });
  return path;
}

function ffmpeg(args: string[]): Promise<unknown> {
  return promisify(execFile)(findFfmpeg(process.env).ffmpeg, ['-v', 'error', '-nostdin', '-y', ...args]);
}
