import { codecsByFormat, defaultCrf, type VideoCodec } from '../../media/codecs/video-codecs.ts';
import type { Format, VideoFormat } from '../../media/formats.ts';
import type { Probe } from '../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../media/probe/streams.ts';
import type { VideoEncoding } from '../encoding.ts';
import type { PlanInput } from '../plan.ts';

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

/** Most of a worker's 10 GB of disk that a file may take which only passes between two steps; two may lie there. */
const mostBytes = 3e9;

/** Below these bits for each pixel, such an encoding would be no better than an ordinary one. */
const leastBitsPerPixel = 0.1;

/** More than any picture takes at this quality; encoders count in 31 bits. */
const mostKbpsEver = 200_000;

/** Sound that loses nothing that anybody hears, again and again. */
const audioBitrateKbps = 256;

/**
 * How a file is encoded that only the next step reads: nearly without loss, and no slower than one that somebody keeps,
 * for several times its bytes. Of a picture that is too long to fit on the disk so, only the sound is better.
 * docs/decisions/pipelines.md has the figures.
 */
export function intermediateEncoding(
  probe: Probe,
  { codec, tempo }: { codec: VideoCodec; tempo: number },
): Partial<VideoEncoding> {
  const video = requireVideo(probe);
  const seconds = (endSecondsOf(probe, [video]) ?? 0) / tempo;
  const maxKbps = Math.min(mostKbpsEver, Math.floor((mostBytes * 8) / 1000 / seconds));
  const pixelsPerSecond = video.width * video.height * (video.framesPerSecond ?? 25);
  const isEnough = maxKbps * 1000 >= leastBitsPerPixel * pixelsPerSecond;
  if (codec !== 'h264' || !isEnough) return { audioBitrateKbps };
  return { preset: 'superfast', quality: { crf: 14, maxKbps }, audioBitrateKbps };
}
