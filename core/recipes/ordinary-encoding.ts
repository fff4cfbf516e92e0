import type { Format, VideoFormat } from '../media/formats.ts';
import { codecsOf, defaultCrf } from '../media/video-codecs.ts';
import type { VideoEncoding } from './video-encoding.ts';

/** How a recipe encodes that is not about encoding: the container's usual codec at a quality close to the source. */
export function ordinary(format: Format): Omit<VideoEncoding, 'picture'> {
  const codec = codecsOf[format as VideoFormat][0];
  return { codec, quality: { crf: defaultCrf[codec] }, audioBitrateKbps: 160 };
}
