import { calibrationSource, contents } from '../../bench/harness/model/calibration-contents.ts';
import type { EncodeCost } from '../../core/cost-model/cost-table.ts';
import { defaultCrf, type VideoCodec } from '../../core/media/codecs/video-codecs.ts';
import { fitNonNegative, leastSquares } from './least-squares.ts';
import { decodeSeconds, type Machine, makeFile, round, type SourceFile } from './measure.ts';
import { encoderNames, type Sample, sample } from './sample.ts';

/** Differences of the CRF from the default. */
const crfSteps = [-6, 0, 8];

/** The density at which `rate.bitsPerPixel` holds. */
const referenceDensity = 0.1;

/** The line of an encoder at its default effort, by ffmpeg's name. */
export async function measureEncoder(
  machine: Machine,
  codec: VideoCodec,
): Promise<Record<string, Omit<EncodeCost, 'efforts'>>> {
  const files: { file: SourceFile; decode: number }[] = [];
  for (const [number, content] of contents.entries()) {
    const file = await makeFile(machine, `content-${number}`, calibrationSource(content));
    files.push({ file, decode: await decodeSeconds(machine, file.path) });
  }
  const samples: Sample[] = [];
  for (const [number, source] of files.entries()) {
    // All steps of two contents, the default of the others.
    const steps = number === 1 || number === 2 ? crfSteps : [0];
    for (const step of steps)
      samples.push(await sample(machine, source, { codec, crf: defaultCrf[codec] + step }));
  }
  for (const each of samples) machine.print(`  ${JSON.stringify(each)}`);
  return { [encoderNames[codec]]: fitLine(samples, codec) };
}

function fitLine(samples: readonly Sample[], codec: VideoCodec): Omit<EncodeCost, 'efforts'> {
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
    rate: {
      bitsPerPixel: round(2 ** base),
      crf,
      crfToHalve: round(1 / perStep),
      sourceExponent: round(sourceExponent),
    },
  };
}
