import type { Format, VideoFormat } from '../media/formats.ts';
import { codecsOf, defaultCrf } from '../media/video-codecs.ts';
import { passingEncoding } from './passing-encoding.ts';
import type { PlanInput } from './recipe.ts';
import type { VideoEncoding } from './video-encoding.ts';

type HowToEncode = Omit<VideoEncoding, 'picture'>;

/** How a recipe encodes that is not about encoding: the container's usual codec at a quality close to the source. */
export function ordinary(format: Format): HowToEncode {
  const codec = codecsOf[format as VideoFormat][0];
  return { codec, quality: { crf: defaultCrf[codec] }, audioBitrateKbps: 160 };
}

/** The same for this step, closer to the source where its file only passes to the next one. */
export function ordinaryFor(input: PlanInput<unknown>, { tempo = 1 } = {}): HowToEncode {
  const usual = ordinary(input.format);
  return {
    ...usual,
    ...(input.isPassing ? passingEncoding(input.probe, { codec: usual.codec, tempo }) : {}),
  };
}
