import type { ExifOrientation } from './exif-orientation.ts';
import type { FontType } from './fonts.ts';
import type { HeifImage } from './heif/read-heif.ts';
import type { ColorProfile } from './read-icc.ts';

/**
 * The measured properties of a media file. Frame sizes are as displayed, after the crop of the container and rotation and
 * with square pixels: a portrait phone video stored as 1920x1080 is 1080x1920 here.
 */
export type Probe = {
  /** ffmpeg's name of the container, such as `mov,mp4,m4a,3gp,3g2,mj2`. */
  container: string;
  sizeBytes: number;
  /** Undefined for still images. */
  durationSeconds?: number | undefined;
  /** SMPTE time code of the first frame, such as `01:00:00:00`, as cameras and editors write it. */
  timecode?: string | undefined;
  /**
   * Where the first video or audio of the main program starts, in seconds after the start of the file, if other streams start
   * earlier. The times of all streams count from there.
   */
  mediaStartSeconds?: number | undefined;
  /** The timestamp of that start, if it is not that of the file, and in a broadcast that does not count from 0. */
  startTimestampSeconds?: number | undefined;
  /** The timestamps start again within the file, so a seek may land in another part of it. */
  hasDiscontinuities?: true | undefined;
  /** Of an MP4 in fragments: the bytes behind which none is found, and the time of those that are missing, 0 to below 1. */
  unreadableShare?: number | undefined;
  /** An MP4 in fragments: a seek goes by decoding times. */
  isFragmented?: true | undefined;
  /** The file states no length, and ends within one of its packets: an unknown part is missing. */
  isCutOff?: true | undefined;
  /** A sentence that says why ffmpeg would encode other streams than this probe describes, or a part of them. */
  misreading?: string | undefined;
  streams: Stream[];
};

export type Stream = VideoStream | AudioStream | SubtitleStream | OtherStream;

type StreamBase = {
  /** Index in the file, for ffmpeg's `-map 0:<index>`. */
  index: number;
  /** Of a container that numbers its streams: the PID of MPEG-TS, the track id of MP4. */
  id?: number | undefined;
  /** ffmpeg's name of the codec; `unknown` if ffmpeg has none. */
  codec: string;
  isDefault: boolean;
  /** ISO 639-2 code of three letters, if the file declares one. */
  language?: string | undefined;
  /** Tag of BCP 47 with the script or the region, if the file declares one. */
  languageTag?: string | undefined;
  /** The rest of a sentence that says why the track may have another language. */
  languageGuess?: string | undefined;
  /** The name of the track for people, if the file declares one: at most 60 characters, without control characters. */
  title?: string | undefined;
  /**
   * What a copy of the track would not keep: several sample descriptions of MP4, for which decoders need different settings, or
   * an edit list that shows several parts.
   */
  splicedBy?: 'descriptions' | 'edits' | undefined;
  /** Relative to the first video or audio of the main program. */
  startSeconds: number;
  durationSeconds?: number | undefined;
  /** Of its packets, as the container states or counts it; for some codecs as their header does. */
  bitsPerSecond?: number | undefined;
  /** Its packets, if the container counts them: the frames of a video. */
  packets?: number | undefined;
  /** ffmpeg's name, such as `High` of H.264 and `LC` of AAC. */
  profile?: string | undefined;
  /** Positions of the programs with this stream among those of a broadcast. Undefined unless it has several. */
  programs?: readonly number[] | undefined;
};

export type VideoStream = StreamBase & {
  kind: 'video';
  width: number;
  height: number;
  /** Degrees clockwise by which players rotate the stored frames. */
  rotation: 0 | 90 | 180 | 270;
  /** Players turn the stored frames upside down before that: the file mirrors them. */
  isMirrored?: true | undefined;
  /** ffmpeg is told both: the frames state them and the container does not, or it states an angle
   * that players ignore. */
  needsStatedTurn?: true | undefined;
  /** Of a still image that ffmpeg does not rotate itself: PNG, WebP and TIFF. */
  exifOrientation?: ExifOrientation | undefined;
  /** Width of a stored pixel divided by its height. */
  pixelAspect: number;
  /** Average over the file. Undefined for still images. */
  framesPerSecond?: number | undefined;
  /** ffprobe's `r_frame_rate`: the lowest rate that can represent all timestamps. Undefined for still images. */
  baseFramesPerSecond?: number | undefined;
  /** The container states twice the rate of the frames, that of the fields, and so ffmpeg assumes it. */
  statesFieldRate?: true | undefined;
  /** The container or the header of the codec states another rate than that of the frames, and so ffmpeg assumes it. */
  misstatesRate?: true | undefined;
  /** The container states that all frames are keyframes, and they are not: a seek may land on any frame. */
  misstatesKeyframes?: true | undefined;
  /** The file has frames before its start, which only decoders need: an edit list of MP4 cuts it between keyframes. */
  hidesFirstFrames?: true | undefined;
  /** Frames are decoded in another order than they are shown, as with B-frames. */
  reordersFrames?: true | undefined;
  pixelFormat?: string | undefined;
  bitDepth: number;
  isInterlaced: boolean;
  /**
   * The header says interlaced, and none of the first frames is: progressive segmented frames (PsF); or the header allows
   * fields, and most of the first frames are progressive, as in films. Later ones may be interlaced.
   */
  hasSegmentedFrames?: true | undefined;
  /** H.264 whose headers do not state a field order, as if each frame is a pair of fields (PAFF). Its frames state it. */
  hasUnknownFieldOrder?: true | undefined;
  /** ffmpeg's name of the color matrix, such as `bt709`, if the file declares one. */
  colorMatrix?: string | undefined;
  /** ffmpeg's names, if the file declares them. */
  colorPrimaries?: string | undefined;
  colorTransfer?: string | undefined;
  /** ffmpeg's name of where the chroma samples are, such as `left` or `topleft`, if the file or its format states it. */
  chromaLocation?: string | undefined;
  /** The color range that the file declares. */
  colorRange?: 'full' | 'limited' | undefined;
  /** As the standard of the codec writes it, such as `4.1`. */
  level?: string | undefined;
  /** Full (JPEG) color range, as from many phones. Undefined for limited range. */
  isFullRange?: true | undefined;
  /** The HDR transfer function: PQ (HDR10, Dolby Vision) or HLG. Undefined for SDR. */
  hdrTransfer?: 'pq' | 'hlg' | undefined;
  /** Of PQ, as the first frame or the container declares it. */
  hdrMetadata?: HdrMetadata | undefined;
  /**
   * Dolby Vision. `compatible`: other players can show the base layer, as in phone videos. `incompatible`: they cannot,
   * as in profile 5, which has its own color space.
   */
  dolbyVision?: 'compatible' | 'incompatible' | undefined;
  /** ffmpeg's name of the projection of a 360-degree video, such as `equirectangular`. */
  projection?: string | undefined;
  /** The parts of a still image in HEIF. */
  heif?: Omit<HeifImage, 'codec' | 'profile'> | undefined;
  /** Of a still image whose colors are not those of sRGB. */
  colorProfile?: ColorProfile | undefined;
  /** The frames carry closed captions by CEA-608 or CEA-708. */
  hasCaptions?: true | undefined;
  /** A cover image in an audio or video file. */
  isAttachedPicture: boolean;
  /** Set if the track has no packets, as of a recording whose camera was off. */
  isEmpty?: true | undefined;
  /** Set if the file does not state whether the track has packets. */
  mayBeEmpty?: true | undefined;
};

/** The first stream of a file, upright and progressive, in 8 bits and square pixels. */
export const plainVideo = {
  kind: 'video',
  index: 0,
  isDefault: true,
  startSeconds: 0,
  rotation: 0,
  pixelAspect: 1,
  bitDepth: 8,
  isInterlaced: false,
  isAttachedPicture: false,
} as const satisfies Partial<VideoStream>;

/** The luminance that a file declares for its brightest pixel and for the display it was mastered on, in nits. */
export type HdrMetadata = { maxContentNits?: number | undefined; masteringPeakNits?: number | undefined };

export type AudioStream = StreamBase & {
  kind: 'audio';
  channels: number;
  /** ffmpeg's name, such as `5.1(side)`, if the file declares which loudspeakers the channels are for. */
  channelLayout?: string | undefined;
  sampleRateHz: number;
  /** Bits per sample. Undefined for lossy codecs. */
  bitDepth?: number | undefined;
  /**
   * The streams with the other channels, if `index` has the left one only: mono streams used as one track of stereo or 5.1, in
   * the order of ffmpeg.
   */
  joinedIndexes?: readonly number[] | undefined;
  /** Set if the track has no packets, as of a screen recording without a microphone. */
  isEmpty?: true | undefined;
  /** Set if the file does not state whether the track has packets. */
  mayBeEmpty?: true | undefined;
  /** Set if the file does not say which of its channels are left and right: the first two are. */
  hasDiscreteChannels?: true | undefined;
  /** Set if the channels are not those of loudspeakers, as in videos of 360 degrees. */
  ambisonics?: Ambisonics | undefined;
  /** Set if the track is not for everybody. */
  accessibility?: AudioAccessibility | undefined;
};

/**
 * `description`: the mix, in which a narrator describes the video (AD). `clean-audio`: the mix with clearer speech.
 * `receiver-mix`: not a mix, but what a receiver adds to one, such as the narrator alone.
 */
export type AudioAccessibility = 'description' | 'clean-audio' | 'receiver-mix';

/** The channels of an ambisonic track, in the order of ambiX: the omnidirectional one, then left minus right. */
export type Ambisonics = {
  /** The first of two channels that do not turn with the head of the viewer, such as a narrator. */
  stereoChannel?: number | undefined;
};

export type SubtitleStream = StreamBase & {
  kind: 'subtitle';
  /** Only text that viewers need in any case, such as signs in another language. */
  isForced: boolean;
  /** Captions: they also name speakers and describe noises, for viewers who do not hear them (SDH). */
  isCaptions?: true | undefined;
};

export type OtherStream = StreamBase & {
  kind: 'data' | 'attachment';
  /** Of an attachment that is a font. */
  fontType?: FontType | undefined;
};
