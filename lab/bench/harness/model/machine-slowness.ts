import { type VideoCodec, videoCodecs } from '@media-jobs/video/media';
import { geometricMean } from '../figures/figure.ts';
import { calibrationSource, encoderSources } from './calibration-contents.ts';
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

/**
 * Runs a reference encode after each measurement. The mean of those before and after it is its `referenceSeconds`.
 * @param measureReference returns the seconds of a reference encode
 */
export function besideReference<Work extends unknown[], Result extends object>(
  measure: (...work: Work) => Promise<Result>,
  measureReference: () => Promise<number>,
): (...work: Work) => Promise<Result & { referenceSeconds: number }> {
  let before: number | undefined;
  return async (...work) => {
    before ??= await measureReference();
    const result = await measure(...work);
    const after = await measureReference();
    const referenceSeconds = (before + after) / 2;
    before = after;
    return { ...result, referenceSeconds };
  };
}

/** Time of an encode, for each second that the model expects. */
export type SlownessSample = { codec: VideoCodec; ratio: number };

/** Measures each encoder at its defaults on the videos of the calibration. */
export async function sampleSlowness(measure: (work: HeldOutPair) => Promise<TimedPair>): Promise<SlownessSample[]> {
  const samples: SlownessSample[] = [];
  for (const codec of videoCodecs) {
    for (const source of encoderSources) {
      const recipe = { name: 'transcode', codec };
      const { expected, measured, referenceSeconds } = await measure({ source, recipe, format: 'mkv' });
      samples.push({ codec, ratio: measured / referenceSeconds / expected });
    }
  }
  return samples;
}

/**
 * The slowness of each encoder: the geometric mean of its samples. Encoders differ, since they use different instructions of
 * a processor. The mean weighs all videos as the fit of the calibration does; a median would be the error of one video.
 */
export function meanSlowness(samples: readonly SlownessSample[]): MachineSlowness {
  const mean = (codec: VideoCodec) =>
    geometricMean(samples.filter((sample) => sample.codec === codec).map(({ ratio }) => ratio));
  return { h264: mean('h264'), h265: mean('h265'), vp9: mean('vp9'), av1: mean('av1') };
}

/** The slowness that holds for a recipe. Without a codec it encodes H.264, or mostly decodes and filters. */
export function slownessOf(slowness: MachineSlowness, recipe: HeldOutPair['recipe']): number {
  const codec = videoCodecs.find((name) => name === recipe.codec) ?? 'h264';
  return slowness[codec];
}
