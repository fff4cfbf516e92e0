import * as z from 'zod';
import type { ErrorDetail } from '../../errors.ts';
import { codecsByFormat, type VideoCodec, videoCodecs } from '../../media/codecs/video-codecs.ts';
import type { Format, VideoFormat } from '../../media/formats.ts';
import { maxUrlCharacters } from '../../net/check-url.ts';
import type { ValueLabel } from './parameter-schema.ts';

/** What a CRF looks like on x264's scale. The scales of the other encoders are a little longer. */
export const crfLabels: ValueLabel[] = [
  { max: 17, label: 'Looks like the source, large file' },
  { max: 23, label: 'Hard to tell from the source' },
  { max: 28, label: 'Good, and much smaller' },
  { max: 35, label: 'Small, with visible loss' },
  { label: 'Very small, rough' },
];

const highestCrf: Record<VideoCodec, number> = { h264: 51, h265: 51, vp9: 63, av1: 63 };

/** Parameters of a recipe that leaves codec and quality to the request. */
export const codecParameter = z.enum(videoCodecs).optional().meta({
  description: 'Codec of the picture: VP9 where left out in webm, otherwise H.264.',
});

export const crfParameter = z.number().min(1).max(63).optional().meta({
  'x-value-labels': crfLabels,
  description:
    'Constant quality, lower looks better and is larger: up to 51 for h264 (23 where left out) and h265 (28), up to 63 for vp9 (32) and av1 (35).',
});

type Choice = { codec?: VideoCodec | undefined; crf?: number | undefined };

/** The codec that a request names, else the usual one of its format. */
export function chosenCodec({ codec }: Choice, format: Format): VideoCodec {
  return codec ?? codecsByFormat[format as VideoFormat][0];
}

/** What is wrong with codec and crf in this format. */
export function codecConflicts(choice: Choice, format: Format): ErrorDetail[] {
  const codecs = codecsByFormat[format as VideoFormat];
  const codec = chosenCodec(choice, format);
  if (!codecs.includes(codec)) {
    return [
      { path: 'recipe.codec', message: `The format ${format} takes ${codecs.join(', ')}, not ${codec}` },
    ];
  }
  if ((choice.crf ?? 0) <= highestCrf[codec]) return [];
  return [{ path: 'recipe.crf', message: `The highest crf of ${codec} is ${highestCrf[codec]}` }];
}

/** The parameter that names a file besides the inputs; `whatItIs` is the first sentence of its description. */
export function assetUrl(whatItIs: string) {
  return z
    .string()
    .min(1)
    .max(maxUrlCharacters)
    .meta({
      format: 'uri',
      description: `${whatItIs} An http or https URL, or the \`inputUrl\` of an upload.`,
    });
}

/** The parameter of every recipe that encodes picture and sound. */
export const audioBitrateParameter = z
  .int()
  .min(32)
  .max(320)
  .default(128)
  .meta({ description: 'Bit rate of the sound in kbit/s.' });
