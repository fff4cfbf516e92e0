import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpegEncoder } from '../adapters/ffmpeg/encoder.ts';
import type { MediaFile } from '../core/encoding/plan.ts';
import { findFfmpeg } from '../local/find-ffmpeg.ts';
import { type Benchmark, figure, quantile } from './harness/figures/figure.ts';
import { heldOutPairs } from './harness/model/held-out.ts';
import { type MadeSource, makeSource } from './harness/model/made-source.ts';
import { measurePair } from './harness/model/measure-pair.ts';

/** One pair of so many is measured. */
const oneOf = { whole: 1, quick: 4 };
const goal = 1.5;

/** Recipes for a video of one's own, which says nothing about the others. */
const ownRecipes = [
  { recipe: { name: 'compress' }, format: 'mp4' },
  { recipe: { name: 'compress', crf: 22, preset: 'veryfast', maxHeight: 360 }, format: 'mp4' },
  { recipe: { name: 'transcode', codec: 'h265' }, format: 'mp4' },
  { recipe: { name: 'transcode', codec: 'vp9' }, format: 'webm' },
] as const;

/** How well the cost model predicts the processor time of recipes on sources that the calibration did not have. */
export const model: Benchmark = {
  name: 'model',
  question: `By which factor does the estimate of processor time miss, over ${heldOutPairs.length} pairs of source and recipe?`,
  baseline:
    'the processor time that ffmpeg takes with the same arguments; a factor of 1 is exact, and too much counts as much as too little',
  run: async (say, { extent, input }) => {
    const { ffmpeg, ffprobe } = findFfmpeg(process.env);
    const encoder = ffmpegEncoder({ ffmpegPath: ffmpeg, ffprobePath: ffprobe });
    const directory = await mkdtemp(join(tmpdir(), 'media-jobs-model-'));
    try {
      const made = new Map<MadeSource, Promise<MediaFile>>();
      const probed = async (path: string) => ({ path, probe: await encoder.probe(path) });
      const make = async (source: MadeSource, number: number) => {
        const path = join(directory, `source-${number}.mkv`);
        await makeSource(ffmpeg, path, source);
        return probed(path);
      };
      const fileOf = (source: MadeSource) => {
        const file = made.get(source) ?? make(source, made.size);
        made.set(source, file);
        return file;
      };
      const pairs =
        input === undefined
          ? heldOutPairs
              .filter((_, index) => index % oneOf[extent] === 0)
              .map(({ source, ...work }) => ({ ...work, file: () => fileOf(source) }))
          : ownRecipes.map((work) => ({ ...work, file: () => probed(input) }));
      const factors: number[] = [];
      for (const { file, recipe, format } of pairs) {
        const pair = { input: await file(), recipe, format };
        const { expected, measured } = await measurePair(pair, { encoder, ffmpeg, directory });
        factors.push(Math.max(expected / measured, measured / expected));
        const { name, ...parameters } = recipe;
        const [video] = pair.input.probe.streams;
        const source = video?.kind === 'video' ? `${video.codec} ${video.width}x${video.height}` : '';
        say(
          `  ${name} ${JSON.stringify(parameters)} of ${source}: expected ${expected.toFixed(2)} s, took ` +
            `${measured.toFixed(2)} s: ${(expected / measured).toFixed(2)}`,
        );
      }
      return [
        figure('model', factors, goal),
        figure('model/nine of ten', [quantile(factors, 0.9)], goal),
        figure('model/worst', [Math.max(...factors)], goal),
      ];
    } finally {
      await rm(directory, { recursive: true });
    }
  },
};
