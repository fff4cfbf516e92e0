import { codecsByFormat, defaultCrf, type VideoCodec } from '../../media/codecs/video-codecs.ts';
import type { TimeRange } from '../../media/ffmpeg/seek.ts';
import type { VideoFormat } from '../../media/formats.ts';
import { atOutputRate } from '../../media/frame-rate.ts';
import type { Size } from '../../media/frame-size.ts';
import type { Probe } from '../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../media/probe/streams.ts';
import type { VideoEncoding } from '../encoding.ts';
import type { PlanInput } from '../plan.ts';

type EncodingDefaults = Omit<VideoEncoding, 'transform'>;

/** The encoding of recipes without quality parameters: the usual codec of the container, at a quality close to the source. */
export function defaultEncoding(format: VideoFormat): EncodingDefaults {
  const codec = codecsByFormat[format][0];
  return { codec, quality: { crf: defaultCrf[codec] }, audioBitrateKbps: 160 };
}

/** What a step changes of the length and the size of its video; by default nothing. */
type Change = { tempo?: number; range?: TimeRange; size?: Size };

/** The default encoding of this step; nearly lossless if only the next step reads the output. */
export function defaultEncodingFor(input: PlanInput<unknown, VideoFormat>, change: Change = {}): EncodingDefaults {
  const defaults = defaultEncoding(input.format);
  if (!input.isIntermediate) return defaults;
  return { ...defaults, ...intermediateEncoding(input.probe, { codec: defaults.codec, ...change }) };
}

/** Largest intermediate file. Two of them may share the worker's 10 GB of disk. */
const maxIntermediateBytes = 3e9;

/** Below this, a nearly lossless encoding looks no better than the default one. */
const minBitsPerPixel = 0.1;

/** Above what any video needs at this quality. Encoders store the bit rate in 31 bits. */
const maxEncoderKbps = 200_000;

/** Inaudible loss, even after several generations. */
const audioBitrateKbps = 256;

/**
 * The encoding of an intermediate: nearly lossless and no slower than the default, at several times the bytes. A video
 * too long for the disk at that rate keeps the default video encoding and gets only the better audio.
 * Figures: packages/video/src/recipes/graph/DECISION.md.
 */
export function intermediateEncoding(
  probe: Probe,
  { codec, tempo = 1, range, size }: Change & { codec: VideoCodec },
): Partial<VideoEncoding> {
  const video = requireVideo(probe);
  const sourceSeconds = range ? range.end - range.start : (endSecondsOf(probe, [video]) ?? 0);
  const seconds = sourceSeconds / tempo;
  const { width, height } = size ?? video;
  const maxKbps = Math.min(maxEncoderKbps, Math.floor((maxIntermediateBytes * 8) / 1000 / seconds));
  const pixelsPerSecond = width * height * (atOutputRate(video).framesPerSecond ?? 25);
  const isWorthwhile = maxKbps * 1000 >= minBitsPerPixel * pixelsPerSecond;
  if (codec !== 'h264' || !isWorthwhile) return { audioBitrateKbps };
  return { preset: 'superfast', quality: { crf: 14, maxKbps }, audioBitrateKbps };
}
