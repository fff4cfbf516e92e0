import { type VideoCodec, videoCodecs } from '../../../core/media/codecs/video-codecs.ts';
import { quantile } from '../figures/figure.ts';
import { calibrationSource, contents } from './calibration-contents.ts';
import type { HeldOutPair } from './held-out.ts';
import type { PairSeconds } from './measure-pair.ts';

/**
 * The time of encodes for each second that the model expects, by the codec that is encoded. Its unit is the time of the
 * reference encode, which changes with the speed of the machine.
 */
export type MachineSlowness = Readonly<Record<VideoCodec, number>>;

/** The encode that is measured between all others. */
export const referenceWork: HeldOutPair = {
  source: calibrationSource({ kind: 'scene', number: 2, grain: 5 }),
  recipe: { name: 'transcode', codec: 'h264' },
  format: 'mkv',
};

/** Seconds of a pair. `referenceSeconds` are those of the reference encode around it. */
export type TimedPair = PairSeconds & { referenceSeconds: number };

/** Measures the reference encode after each pair. The mean of those before and after a pair is its reference. */
export function besideReference<Work extends unknown[]>(
  measure: (...work: Work) => Promise<PairSeconds>,
  measureReference: () => Promise<PairSeconds>,
): (...work: Work) => Promise<TimedPair> {
  let before: number | undefined;
  return async (...work) => {
    before ??= (await measureReference()).measured;
    const pair = await measure(...work);
    const { measured: after } = await measureReference();
    const referenceSeconds = (before + after) / 2;
    before = after;
    return { ...pair, referenceSeconds };
  };
}

/**
 * Measures each encoder at its defaults on the videos of the calibration: the median of measured and expected seconds.
 * Encoders differ, since they use different instructions of a processor.
 */
export async function measureSlowness(
  measure: (work: HeldOutPair) => Promise<TimedPair>,
): Promise<MachineSlowness> {
  const slowness = { h264: 1, h265: 1, vp9: 1, av1: 1 };
  for (const codec of videoCodecs) {
    const ratios: number[] = [];
    for (const content of contents) {
      const recipe = { name: 'transcode', codec };
      const { expected, measured, referenceSeconds } = await measure({
        source: calibrationSource(content),
        recipe,
        format: 'mkv',
      });
      ratios.push(measured / referenceSeconds / expected);
    }
    slowness[codec] = quantile(ratios, 0.5);
  }
  return slowness;
}

/** The slowness that holds for a recipe. Without a codec it encodes H.264, or mostly decodes and filters. */
export function slownessOf(slowness: MachineSlowness, recipe: HeldOutPair['recipe']): number {
  const codec = videoCodecs.find((name) => name === recipe.codec) ?? 'h264';
  return slowness[codec];
}
