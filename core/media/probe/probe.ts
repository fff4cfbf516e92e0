/**
 * What was measured of a media file. Times are seconds. Sizes are as displayed: after rotation and with square
 * pixels, so a portrait phone clip stored as 1920x1080 is 1080x1920 here.
 */
export type Probe = {
  /** ffmpeg's name of the container, such as `mov,mp4,m4a,3gp,3g2,mj2`. */
  container: string;
  sizeBytes: number;
  /** Left out for still pictures, which have none. */
  durationSeconds?: number;
  streams: Stream[];
};

export type Stream = VideoStream | AudioStream | SubtitleStream | OtherStream;

type StreamBase = {
  /** Position in the file, as ffmpeg's `-map 0:<index>` wants it. */
  index: number;
  /** ffmpeg's name of the codec, `unknown` where it has none. */
  codec: string;
  isDefault: boolean;
  /** ISO 639-2 code, three letters; left out where the file does not say. */
  language?: string;
  /** When it begins, counted from the first moment of the file. */
  startSeconds: number;
  durationSeconds?: number;
};

export type VideoStream = StreamBase & {
  kind: 'video';
  width: number;
  height: number;
  /** Degrees clockwise that a player turns the stored picture. */
  rotation: 0 | 90 | 180 | 270;
  /** Width of a stored pixel over its height; 1 is square. */
  pixelAspect: number;
  /** Average over the file; left out for still pictures. */
  framesPerSecond?: number;
  /** At least the rate at which every frame has a time of its own, as ffmpeg tells its encoders; left out for still pictures. */
  baseFramesPerSecond?: number;
  pixelFormat?: string;
  bitDepth: number;
  isInterlaced: boolean;
  /** ffmpeg's name of how colours were made into brightness and difference, such as `bt709`; many files do not say. */
  colorMatrix?: string;
  /** Brightness and difference take all values, as in a JPEG and from many phones; left out for the range of television. */
  isFullRange?: true;
  /** The transfer function of high dynamic range: PQ (HDR10, Dolby Vision) or HLG. Left out for SDR. */
  hdrTransfer?: 'pq' | 'hlg';
  /** Beside the picture, as phones record it, or without it no picture at all: its colours are in a space of their own. */
  dolbyVision?: 'beside' | 'alone';
  /** A piece of a larger picture, as photos in HEIC are made of. */
  isTile?: true;
  /** A cover image inside a sound or video file, not a moving picture. */
  isAttachedPicture: boolean;
};

export type AudioStream = StreamBase & {
  kind: 'audio';
  channels: number;
  sampleRateHz: number;
  /** Bits of a sample; left out for a lossy codec, which has none. */
  bitDepth?: number;
};

export type SubtitleStream = StreamBase & {
  kind: 'subtitle';
  /** Only what a viewer of the original cannot follow, such as a sign in another language. */
  isForced: boolean;
};

export type OtherStream = StreamBase & { kind: 'data' | 'attachment' };
