import type { StreamEncryption } from '../encryption/aes-128.ts';
import type { FragmentedFile } from '../fragments/fragmented-file.ts';
import { nearestConstantRate } from '../frame-rate.ts';
import {
  measureSegmentRates,
  type Segment,
  type SegmentRates,
  shortenPauses,
  targetDuration,
} from './segment-rates.ts';

type Track = {
  /** Number of its files in the set; see `mediaFile` and `playlistFile`. */
  number: number;
  /** Shown by players in their menus, or of a video its height. Unique among the tracks of its kind. */
  name: string;
};

export type VideoTrack = Track & {
  kind: 'video';
  /** The stream carries CEA-608 captions. As planned: the source has them, or empty pairs in their place. */
  hasCaptions?: true | undefined;
};

type SpokenTrack = Track & {
  /** BCP 47. Undefined if the source declares none. */
  language?: string | undefined;
  /** Players may choose it by the language of their user. */
  isAutoselect: boolean;
};

export type AudioTrack = SpokenTrack & {
  kind: 'audio';
  isDefault: boolean;
  channels: number;
  /** The video is described too, for viewers who do not see it. */
  accessibility?: 'description' | undefined;
};

export type SubtitleTrack = SpokenTrack & {
  kind: 'subtitles';
  isForced: boolean;
  /** It also names speakers and describes noises, for viewers who do not hear them. */
  accessibility?: 'caption' | undefined;
};

/** For whom a track is, by the words of MPEG-DASH. Undefined: for everybody. */
export type Accessibility = NonNullable<(AudioTrack | SubtitleTrack)['accessibility']>;

/** One track of an adaptive stream, as it is planned. */
export type AdaptiveTrack = VideoTrack | AudioTrack | SubtitleTrack;

/** A playlist of an adaptive stream. It is written once the media files are measured. */
export type PlannedPlaylist =
  | { kind: 'hls' | 'dash' }
  /** Of the segments, or of the keyframes, of the video or audio track with this number. */
  | { kind: 'segments' | 'keyframes'; number: number }
  /** Of the segments of the subtitle track with this number. */
  | { kind: 'subtitles'; number: number };

type MeasuredMedia = SegmentRates & { file: FragmentedFile; segments: readonly Segment[] };

export type MeasuredVideo = VideoTrack &
  MeasuredMedia & {
    width: number;
    height: number;
    /** The average. */
    framesPerSecond: number | undefined;
    maxFramesPerSecond: number | undefined;
    /** The bytes of each fragment up to the end of its keyframe. */
    keyframes: readonly Segment[];
    keyframeRates: SegmentRates;
  };

export type MeasuredAudio = AudioTrack & MeasuredMedia & { sampleRateHz: number };

/** `segments` are those of its WebVTT documents, which follow one another in one file. */
export type MeasuredSubtitles = SubtitleTrack & SegmentRates & { segments: readonly Segment[] };

/** An adaptive stream with the measurements of its files: everything that its manifests state. */
export type MeasuredSet = {
  videos: readonly [MeasuredVideo, ...MeasuredVideo[]];
  audios: readonly MeasuredAudio[];
  subtitles: readonly MeasuredSubtitles[];
  /** The target duration of every playlist of segments of video or audio (RFC 8216, section 6.2.4). */
  targetSeconds: number;
  /** A player with this much of the video buffered does not run dry at the bit rates of the set. */
  bufferSeconds: number;
  /** Left out: the segments are not encrypted. */
  encryption?: StreamEncryption | undefined;
};

/** A track without its bit rates, which depend on the target duration of all. */
export type Unrated<Track extends SegmentRates> = Omit<Track, keyof SegmentRates | 'keyframeRates'>;

/**
 * Adds the bit rates to the tracks of a stream, and the target duration of its video and audio. Playlists of subtitles
 * have their own: with that of a video that holds a frame for long, no run of subtitle segments would be a peak.
 * @param segmentSeconds the usual length of a segment: one with a pause is longer
 * @param keyframeSeconds the usual distance of keyframes
 */
export function rateTracks(tracks: {
  videos: readonly [Unrated<MeasuredVideo>, ...Unrated<MeasuredVideo>[]];
  audios: readonly Unrated<MeasuredAudio>[];
  subtitles: readonly Unrated<MeasuredSubtitles>[];
  segmentSeconds: number;
  keyframeSeconds: number;
}): Omit<MeasuredSet, 'encryption'> {
  const { audios, subtitles, segmentSeconds, keyframeSeconds } = tracks;
  const [video, ...others] = tracks.videos;
  const all = [video, ...others, ...audios].flatMap(({ segments }) => segments);
  const runs = { usualSeconds: segmentSeconds, targetSeconds: targetDuration(shortenPauses(all, segmentSeconds)) };
  const rated = <Track extends { segments: readonly Segment[] }>(track: Track) => ({
    ...track,
    ...measureSegmentRates(track.segments, runs),
  });
  const ratedVideo = (each: Unrated<MeasuredVideo>): MeasuredVideo => ({
    ...rated(each),
    keyframeRates: measureSegmentRates(each.keyframes, { usualSeconds: keyframeSeconds }),
  });
  const videoSegments = [video, ...others].flatMap(({ segments }) => shortenPauses(segments, segmentSeconds));
  return {
    videos: [ratedVideo(video), ...others.map(ratedVideo)],
    audios: audios.map(rated),
    subtitles: subtitles.map((track) => ({
      ...track,
      ...measureSegmentRates(track.segments, { usualSeconds: segmentSeconds }),
    })),
    targetSeconds: targetDuration(all),
    bufferSeconds: videoSegments.reduce((max, { seconds }) => Math.max(max, seconds), 0),
  };
}

export function durationOf({ segments }: Pick<MeasuredMedia, 'segments'>): number {
  return segments.reduce((sum, { seconds }) => sum + seconds, 0);
}

// Long enough that times in milliseconds change the rate by less than one in a hundred.
const stretchSeconds = 0.25;

const roundingShare = 0.01;

/**
 * The highest frame rate of a video: that of its fastest quarter of a second, or the average if no stretch is faster.
 * @param frameSeconds when each frame is shown, in ascending order
 */
export function maxFrameRate(frameSeconds: readonly number[], averageFps: number | undefined): number | undefined {
  let maxFps = 0;
  let end = 0;
  for (const [start, startSeconds] of frameSeconds.entries()) {
    while (end < frameSeconds.length && secondsAt(frameSeconds, end) - startSeconds < stretchSeconds) end += 1;
    if (end === frameSeconds.length) break;
    maxFps = Math.max(maxFps, (end - start) / (secondsAt(frameSeconds, end) - startSeconds));
  }
  if (averageFps === undefined) return undefined;
  return maxFps > averageFps * (1 + roundingShare) ? nearestConstantRate(maxFps).fps : averageFps;
}

function secondsAt(frameSeconds: readonly number[], frame: number): number {
  return frameSeconds[frame] ?? Number.NaN;
}
