import type { AudioCodec, AudioLayout } from '../media/codecs/audio-codecs.ts';
import {
  type EncoderSettings,
  limitOfTarget,
  type Quality,
  type RateLimit,
  rateBuffer,
  type TargetBitrate,
} from '../media/codecs/encoder-arguments.ts';
import type { VideoCodec } from '../media/codecs/video-codecs.ts';
import type { CommandInput } from '../media/ffmpeg/command.ts';
import type { TimeRange } from '../media/ffmpeg/seek.ts';
import type { Filter } from '../media/filters/filter.ts';
import { type FrameTransform, transformedSize } from '../media/filters/video-filters.ts';
import type { DeinterlaceRate, ExactRate, RateChange } from '../media/frame-rate.ts';
import type { Size } from '../media/frame-size.ts';
import type { VideoStream } from '../media/probe/probe.ts';
import type { SegmentingOptions } from './ladder/ladder.ts';
import type { BurnedSubtitles, Overlay, SubtitleFiles } from './overlay.ts';

/** The times of frames at a constant rate, in ticks that divide them exactly: 1001 of 1/24000 s. */
export type FrameGrid = {
  ticksPerSecond: number;
  frameTicks: number;
  /** By which ratio the frames of the source lag behind, as those of 23.976 do behind 24000/1001. */
  drift: number;
};

export type AudioOptions = {
  audioBitrateKbps: number;
  audioFilters?: Filter[];
  /** Adds silence from 0 to the first sample and, if `untilSeconds` is set, from the last sample to that second. */
  audioPadding?: { untilSeconds: number | undefined };
  isMuted?: boolean;
  /** Indexes of the audio tracks to keep; default: the main track. */
  audioTracks?: readonly number[] | undefined;
  /** Default: stereo. */
  channels?: AudioLayout['channels'];
  /** Default: that of the format. */
  audioCodec?: AudioCodec | undefined;
  /** A file with a replacement of the audio track and nothing else. It becomes the second input of the command. */
  audioSource?: CommandInput;
};

/** Options that encode the video and audio of an input into one file. */
export type VideoEncoding = AudioOptions &
  EncoderSettings & {
    codec: VideoCodec;
    quality: Quality;
    transform: FrameTransform;
    finalFilters?: Filter[];
    overlay?: Overlay;
    /** Drawn over the frames after the transform. */
    subtitles?: BurnedSubtitles;
    /** The time range of the input that is encoded; default: all. */
    range?: TimeRange;
    /** Default: frames keep their times. */
    frameGrid?: FrameGrid;
    /** Of several steps that were fused, in their order. The last one writes the output; `transform` has its size. */
    stages?: readonly EncodingStage[];
    segmenting?: undefined;
  };

/** A step whose frames the next one gets without an encoding between them. */
export type EncodingStage = Pick<VideoEncoding, 'transform' | 'finalFilters'> & {
  /** What its frames would be as a file. */
  video: VideoStream;
  /** The second of the source at which its time begins. */
  originSeconds: number;
  drawsSubtitles?: true;
  drawsOverlay?: true;
};

/** Options that encode an input into several sizes from one decoding, each with the same audio. */
export type LadderEncoding = AudioOptions &
  EncoderSettings & {
    codec: VideoCodec;
    quality: { crf: number };
    /** Largest first: the others are scaled down from it. */
    sizes: readonly [Size, ...Size[]];
    /** Set if the sizes are renditions of one HLS or DASH stream. */
    segmenting?: SegmentingOptions;
    /** The same sizes with the same keyframes in further codecs. Their audio options have no effect. */
    otherCodecs?: readonly LadderEncoding[];
    /** The closed captions of the source are left out. */
    dropsCaptions?: boolean;
    /** Default: `field`. */
    deinterlace?: DeinterlaceRate | undefined;
    /** Default: frames keep their times. */
    frameGrid?: FrameGrid;
    range?: undefined;
    overlay?: undefined;
    subtitles?: undefined;
  };

export type Encoding = VideoEncoding | LadderEncoding;

export function isLadderEncoding(encoding: Encoding): encoding is LadderEncoding {
  return 'sizes' in encoding;
}

export function rateChangeOf(encoding: Encoding): RateChange {
  return isLadderEncoding(encoding) ? { deinterlace: encoding.deinterlace } : encoding.transform;
}

/** The stages of an encoding, of which one that is not fused has a single one. */
export function stagesOf(video: VideoStream, encoding: VideoEncoding): readonly EncodingStage[] {
  return encoding.stages ?? [stageOf(video, encoding)];
}

/** An encoding as a stage; by default it begins where its range does. */
export function stageOf(
  video: VideoStream,
  { transform, subtitles, overlay, finalFilters, range }: VideoEncoding,
  originSeconds = range?.start ?? 0,
): EncodingStage {
  return {
    video,
    transform,
    originSeconds,
    ...(subtitles && { drawsSubtitles: true }),
    ...(overlay && { drawsOverlay: true }),
    ...(finalFilters && { finalFilters }),
  };
}

/** The constant frame rate of the output. Undefined if frames keep their times. */
export function constantRateOf(encoding: Encoding): number | ExactRate | undefined {
  return isLadderEncoding(encoding) ? encoding.segmenting?.constantFps : encoding.transform.framesPerSecond;
}

/** Like `rateChangeOf`, with the constant rate that a ladder applies after the deinterlacer. */
export function outputRateChangeOf(encoding: Encoding): RateChange {
  return { ...rateChangeOf(encoding), framesPerSecond: constantRateOf(encoding) };
}

/** The target bit rate, whose bits are allotted to the chunks; undefined if it has none. */
export function targetOf(encoding: Encoding): TargetBitrate | undefined {
  if (isLadderEncoding(encoding) || !('bitrateKbps' in encoding.quality)) return undefined;
  return encoding.quality;
}

/** The bit rate limit over the whole video. That of a ladder applies to its segments, and a file of a given size has none. */
export function rateLimitOf(encoding: Encoding): RateLimit | undefined {
  if (isLadderEncoding(encoding)) return undefined;
  const { quality } = encoding;
  if ('bitrateKbps' in quality) return quality.fileBytes === undefined ? limitOfTarget(quality) : undefined;
  const { maxKbps } = quality;
  return maxKbps === undefined ? undefined : { maxKbps, buffer: rateBuffer(maxKbps) };
}

/** The encoding in each of its codecs, in the order of the outputs. Each is a command, and in chunks a task, of its own. */
export function encodingsByCodec(encoding: Encoding): readonly Encoding[] {
  return isLadderEncoding(encoding) ? [encoding, ...(encoding.otherCodecs ?? [])] : [encoding];
}

/** The sizes in the order of the outputs. Each codec has the same. */
export function outputSizes(encoding: Encoding): readonly Size[] {
  return isLadderEncoding(encoding) ? encoding.sizes : [transformedSize(encoding.transform)];
}

/** Where one worker has the files of an encoding, besides its source. */
export type EncodingFiles = { overlay?: string | undefined; subtitles?: SubtitleFiles | undefined };

/** The encoding with the file paths of one worker. Without files all paths are empty, as a chunk plan stores it. */
export function withFiles(encoding: Encoding, { overlay: path = '', subtitles }: EncodingFiles): Encoding {
  if (isLadderEncoding(encoding)) return encoding;
  const { overlay, subtitles: text } = encoding;
  return {
    ...encoding,
    ...(overlay && { overlay: { ...overlay, path } }),
    ...(text && { subtitles: { ...text, ...(subtitles ?? { path: '', fontsDirectory: '' }) } }),
  };
}
