import type { RemoteMedia } from '../../media/ffmpeg/ports.ts';
import type { AudioRange } from './audio-range.ts';
import type { FrameIndex } from './frame-index.ts';
import type { AudioTiming } from './timeline.ts';

export type PacketReadOptions = {
  signal: AbortSignal;
  /** Wall-clock limit. */
  timeLimitSeconds: number;
  /** `output`: a file that the service wrote. If it is unreadable, the error is `TRANSCODE_ERROR`. */
  role?: 'input' | 'output';
  /** Set for an input that is not on this disk: its path is then a URL of the range proxy. */
  remote?: RemoteMedia | undefined;
};

export type VideoStreamRef = {
  /** Index of the stream in the file. */
  stream: number;
  /** As `timelineOriginSeconds` returns it. */
  fileSeconds: number;
};

/** Reads packets without decoding them. Throws `JobError` if the file is unreadable. */
export type PacketReader = {
  readFrameIndex(path: string, from: VideoStreamRef, options: PacketReadOptions): Promise<FrameIndex>;
  /** Undefined if the file has no index, or its frames differ in length. */
  readAudioTiming(
    path: string,
    from: Pick<VideoStreamRef, 'stream'>,
    options: PacketReadOptions,
  ): Promise<AudioTiming | undefined>;
  /** Of the first audio stream. */
  readAudioRange(path: string, options: PacketReadOptions): Promise<AudioRange>;
};
