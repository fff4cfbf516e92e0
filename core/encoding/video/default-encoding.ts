import { codecsByFormat, defaultCrf } from '../../media/codecs/video-codecs.ts';
import type { Format, VideoFormat } from '../../media/formats.ts';
import type { PlanInput } from '../../recipes/recipe.ts';
import { intermediateEncoding } from './intermediate-encoding.ts';
import type { VideoEncoding } from './video-encoding.ts';

type HowToEncode = Omit<VideoEncoding, 'transform'>;

/** How a recipe encodes that is not about encoding: the container's usual codec at a quality close to the source. */
export function defaultEncoding(format: Format): HowToEncode {
  const codec = codecsByFormat[format as VideoFormat][0];
  return { codec, quality: { crf: defaultCrf[codec] }, audioBitrateKbps: 160 };
}

/** The same for this step, closer to the source where its file only passes to the next one. */
export function defaultEncodingFor(input: PlanInput<unknown>, { tempo = 1 } = {}): HowToEncode {
  const usual = defaultEncoding(input.format);
  return {
    ...usual,
    ...(input.isIntermediate ? intermediateEncoding(input.probe, { codec: usual.codec, tempo }) : {}),
  };
}
