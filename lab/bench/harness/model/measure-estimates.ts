import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaFile } from '@media-jobs/video/encoding';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { ffmpegEncoder } from '@media-jobs/video/runner';
import type { Benchmark } from '../figures/figure.ts';
import { generatedFiles } from './generated-files.ts';
import { type HeldOutPair, heldOutPairs } from './held-out.ts';
import {
  besideReference,
  meanSlowness,
  referenceWork,
  sampleSlowness,
  slownessOf,
  type TimedPair,
} from './machine-slowness.ts';
import { measurePair } from './measure-pair.ts';

/** One pair of so many is measured. */
const oneOf = { whole: 1, quick: 4 };

/** How often a pair is measured: other load of the machine changes a single time by up to a fifth. */
const repetitions = { whole: 3, quick: 1 };

/** Recipes for your own video (`--input`). */
const ownWork: readonly Omit<HeldOutPair, 'source'>[] = [
  { recipe: { name: 'compress' }, format: 'mp4' },
  { recipe: { name: 'compress', crf: 22, preset: 'veryfast', maxHeight: 360 }, format: 'mp4' },
  { recipe: { name: 'transcode', codec: 'h265' }, format: 'mp4' },
  { recipe: { name: 'transcode', codec: 'vp9' }, format: 'webm' },
];

/**
 * Measures the held-out pairs, or recipes for a video of one's own. Returns the estimate of each, divided by the processor
 * seconds that it took.
 */
export async function measureEstimates(...[print, { extent, input }]: Parameters<Benchmark['run']>): Promise<number[]> {
  const { ffmpeg, ffprobe } = findFfmpeg(process.env);
  const encoder = ffmpegEncoder({ ffmpegPath: ffmpeg, ffprobePath: ffprobe });
  const directory = await mkdtemp(join(tmpdir(), 'media-jobs-estimates-'));
  try {
    const fileOf = generatedFiles(ffmpeg, { encoder, directory });
    const measureOne = (file: MediaFile, work: Omit<HeldOutPair, 'source'>) =>
      measurePair({ input: file, ...work }, { encoder, ffmpeg, directory });
    const reference = await fileOf(referenceWork.source);
    const measure = besideReference(measureOne, async () => (await measureOne(reference, referenceWork)).measured);
    const sampleMachine = () => sampleSlowness(async ({ source, ...work }) => measure(await fileOf(source), work));
    print('  measuring the speed of the machine');
    const samples = await sampleMachine();
    const ownFile = async (path: string) => ({ path, probe: await encoder.probe(path) });
    const chosen =
      input === undefined
        ? heldOutPairs
            .filter((_, index) => index % oneOf[extent] === 0)
            .map(({ source, ...work }) => ({ work, open: () => fileOf(source) }))
        : ownWork.map((work) => ({ work, open: () => ownFile(input) }));
    const timed: { name: string; recipe: HeldOutPair['recipe']; pair: TimedPair }[] = [];
    for (const { work, open } of chosen) {
      const file = await open();
      const repeated: TimedPair[] = [];
      while (repeated.length < repetitions[extent]) repeated.push(await measure(file, work));
      const pair = medianPair(repeated);
      const { name: recipeName, ...parameters } = work.recipe;
      const name = `${recipeName} ${JSON.stringify(parameters)} of ${nameOf(file)}`;
      print(`  ${name}: took ${pair.measured.toFixed(2)} s`);
      timed.push({ name, recipe: work.recipe, pair });
    }
    print('  measuring the speed of the machine once more');
    samples.push(...(await sampleMachine()));
    const slowness = meanSlowness(samples);
    print(`  reference encodes for each second of the calibrated machine: ${JSON.stringify(slowness)}`);
    return timed.map(({ name, recipe, pair: { expected, measured, referenceSeconds } }) => {
      const ratio = (expected * slownessOf(slowness, recipe) * referenceSeconds) / measured;
      print(`  ${name}: estimated ${ratio.toFixed(2)} times as much`);
      return ratio;
    });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** By which factor an estimate misses: too much counts as much as too little. */
export function missOf(ratio: number): number {
  return Math.max(ratio, 1 / ratio);
}

/** The pair of the median time, relative to the reference encode around it. */
function medianPair(pairs: readonly TimedPair[]): TimedPair {
  const relative = ({ measured, referenceSeconds }: TimedPair) => measured / referenceSeconds;
  const sorted = pairs.toSorted((one, other) => relative(one) - relative(other));
  const median = sorted[Math.floor(sorted.length / 2)];
  if (median === undefined) throw new TypeError('There is no pair');
  return median;
}

function nameOf({ probe }: MediaFile): string {
  const [video] = probe.streams;
  return video?.kind === 'video' ? `${video.codec} ${video.width}x${video.height}` : '';
}
