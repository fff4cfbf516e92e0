import { type VideoCodec, videoCodecs } from '../../../core/media/codecs/video-codecs.ts';
import { quantile } from '../figures/figure.ts';
import { calibrationSource, contents } from './calibration-contents.ts';
import type { HeldOutPair } from './held-out.ts';
import type { PairSeconds } from './measure-pair.ts';

/** Seconds of this machine for each second of the calibrated one, by the codec that is encoded. */
export type MachineSlowness = Readonly<Record<VideoCodec, number>>;

/**
 * Measures each encoder at its defaults on the videos of the calibration: the median of measured and expected seconds.
 * Encoders differ, since they use different instructions of a processor.
 */
export async function measureSlowness(
  measure: (work: HeldOutPair) => Promise<PairSeconds>,
): Promise<MachineSlowness> {
  const slowness = { h264: 1, h265: 1, vp9: 1, av1: 1 };
  for (const codec of videoCodecs) {
    const ratios: number[] = [];
    for (const content of contents) {
      const recipe = { name: 'transcode', codec };
      const { expected, measured } = await measure({
        source: calibrationSource(content),
        recipe,
        format: 'mkv',
      });
      ratios.push(measured / expected);
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
