import type { Content } from '../../bench/harness/model/made-source.ts';
import type { EncodeCost } from '../../core/cost-model/cost-table.ts';
import {
  defaultCrf,
  defaultPreset,
  type Preset,
  presets,
  type VideoCodec,
  videoCodecArguments,
} from '../../core/media/codecs/video-codecs.ts';
import { fitNonNegative, leastSquares } from './least-squares.ts';
import { decodeSeconds, encode, type Machine, makeFile, type SourceFile } from './measure.ts';

const size = { width: 768, height: 432 };
/** The slowest efforts take a minute for each second of a larger video. */
const effortSize = { width: 480, height: 270 };

const framesPerSecond = 25;

/** From a calm to a noisy video, so that a fit sees what bits cost. */
const contents: readonly Content[] = [
  { kind: 'shot', number: 1, grain: 0 },
  { kind: 'shot', number: 2, grain: 5 },
  { kind: 'shot', number: 4, grain: 10 },
  { kind: 'screen' },
  { kind: 'fractal' },
];

/** Differences of the CRF from the default. */
const crfSteps = [-6, 0, 8];

/** The density at which `rate.bitsPerPixel` holds. */
const referenceDensity = 0.1;

type Sample = { crf: number; density: number; bitsPerPixel: number; secondsPerMegapixel: number };

const names: Record<VideoCodec, string> = {
  h264: 'libx264',
  h265: 'libx265',
  vp9: 'libvpx-vp9',
  av1: 'libsvtav1',
};

/** The line of an encoder, by ffmpeg's name. */
export async function measureEncoder(
  machine: Machine,
  codec: VideoCodec,
): Promise<Record<string, EncodeCost>> {
  const files: { file: SourceFile; decode: number }[] = [];
  for (const [number, content] of contents.entries()) {
    const options = { content, size, framesPerSecond, seconds: 2, encoder: 'h264' as const };
    const file = await makeFile(machine, `content-${number}`, options);
    files.push({ file, decode: await decodeSeconds(machine, file.path) });
  }
  const short = { content: contents[1] ?? { kind: 'screen' }, framesPerSecond, seconds: 1 } as const;
  const file = await makeFile(machine, 'effort', { ...short, size: effortSize, encoder: 'h264' });
  const effortFile = { file, decode: await decodeSeconds(machine, file.path) };
  const samples: Sample[] = [];
  for (const [number, source] of files.entries()) {
    // All steps of two contents, the default of the others.
    const steps = number === 1 || number === 2 ? crfSteps : [0];
    for (const step of steps)
      samples.push(await sample(machine, source, { codec, crf: defaultCrf[codec] + step }));
  }
  for (const each of samples) machine.say(`  ${JSON.stringify(each)}`);
  const efforts = await measureEfforts(machine, effortFile, codec);
  return { [names[codec]]: fitLine(samples, { codec, efforts }) };
}

async function sample(
  machine: Machine,
  { file, decode }: { file: SourceFile; decode: number },
  { codec, crf, preset }: { codec: VideoCodec; crf: number; preset?: Preset },
): Promise<Sample> {
  const args = videoCodecArguments(codec, { format: 'mkv', quality: { crf }, size, preset });
  const { cpuSeconds, megabits } = await encode(machine, file.path, args);
  return {
    crf,
    density: file.bitsPerPixel,
    bitsPerPixel: megabits / file.megapixels,
    secondsPerMegapixel: Math.max(1e-4, cpuSeconds - decode) / file.megapixels,
  };
}

/** The time of each effort relative to the default one, by the value of ffmpeg's option. */
async function measureEfforts(
  machine: Machine,
  source: { file: SourceFile; decode: number },
  codec: VideoCodec,
): Promise<Record<string, number>> {
  const optionValue = (preset: Preset) => {
    const args = videoCodecArguments(codec, { format: 'mkv', quality: { crf: defaultCrf[codec] }, preset });
    return args[args.indexOf(codec === 'vp9' ? '-cpu-used' : '-preset') + 1] ?? '';
  };
  const seconds: Record<string, number> = {};
  // Several presets may have one value.
  for (const [value, preset] of new Map(presets.map((preset) => [optionValue(preset), preset]))) {
    const { secondsPerMegapixel } = await sample(machine, source, { codec, crf: defaultCrf[codec], preset });
    seconds[value] = secondsPerMegapixel;
    machine.say(`  ${value}: ${secondsPerMegapixel}`);
  }
  const base = seconds[optionValue(defaultPreset[codec])] ?? Number.NaN;
  return Object.fromEntries(Object.entries(seconds).map(([value, each]) => [value, round(each / base)]));
}

function fitLine(
  samples: readonly Sample[],
  { codec, efforts }: { codec: VideoCodec; efforts: Record<string, number> },
): EncodeCost {
  const crf = defaultCrf[codec];
  // Errors count relative to the value: a calm video matters as much as a noisy one.
  const [perMegapixel = 0, perMegabit = 0] = fitNonNegative(
    samples.map(({ bitsPerPixel, secondsPerMegapixel }) =>
      [1, bitsPerPixel].map((one) => one / secondsPerMegapixel),
    ),
    samples.map(() => 1),
  );
  const [base = 0, perStep = 0, sourceExponent = 0] = leastSquares(
    samples.map((each) => [1, crf - each.crf, Math.log2(each.density / referenceDensity)]),
    samples.map(({ bitsPerPixel }) => Math.log2(bitsPerPixel)),
  );
  return {
    perMegapixel: round(perMegapixel),
    perMegabit: round(perMegabit),
    efforts,
    rate: {
      bitsPerPixel: round(2 ** base),
      crf,
      crfToHalve: round(1 / perStep),
      sourceExponent: round(sourceExponent),
    },
  };
}

export function round(value: number): number {
  return Number(value.toPrecision(3));
}
