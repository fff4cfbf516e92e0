import { rejectInput } from '../../errors.ts';
import { decodableCodecs } from '../codecs/input-decoders.ts';
import { decodedTrack, joinMonoTracks } from './ambisonics.ts';
import { heifContainer } from './heif/heif-probe.ts';
import type { AudioStream, Probe, Stream, VideoStream } from './probe.ts';

/**
 * The video stream that recipes use: the first that is neither a cover image nor empty, of those that players show. Phones add
 * a disabled track with the depth of the frames.
 */
export function mainVideo(probe: Probe): VideoStream | undefined {
  const streams = probe.streams.filter(
    (s): s is VideoStream => s.kind === 'video' && !s.isAttachedPicture && !s.isEmpty,
  );
  const known = streams.filter(isKnown);
  return known.find(({ isDefault }) => isDefault) ?? known[0] ?? streams[0];
}

/** MPEG-TS, MPEG-PS and Ogg, whose timestamps may jump: their demuxers have ffmpeg's flag `AVFMT_TS_DISCONT`. */
export function isBroadcast({ container }: Pick<Probe, 'container'>): boolean {
  return ['mpegts', 'mpeg', 'ogg'].includes(container);
}

/**
 * The streams that belong to the main video. A broadcast of several programs (MPEG-TS) has audio and subtitles of others,
 * too. All streams of a file without video, and of one whose main video is in no program.
 */
export function streamsOfProgram(probe: Probe): Stream[] {
  const { programs: own } = mainVideo(probe) ?? {};
  if (own === undefined) return probe.streams;
  return probe.streams.filter(({ programs }) => programs === undefined || programs.some((one) => own.includes(one)));
}

/** The audio tracks of the main video, without those that are empty. */
export function ownAudio(probe: Probe): AudioStream[] {
  return streamsOfProgram(probe).filter((s): s is AudioStream => s.kind === 'audio' && !s.isEmpty);
}

/**
 * The audio track that recipes use: the default track, else the first; of mono PCM tracks the first as stereo or 5.1. A track
 * for viewers who do not see or hear well, such as an audio description, only if there is no other.
 */
export function mainAudio(probe: Probe): AudioStream | undefined {
  const tracks = ownAudio(probe);
  const known = tracks.filter(isKnown);
  const forAll = known.filter(({ accessibility }) => accessibility === undefined);
  const candidates = forAll.length > 0 ? forAll : known;
  const joined = joinMonoTracks(probe.container, tracks);
  return joined ?? decodedTrack(candidates.find(({ isDefault }) => isDefault) ?? candidates[0]);
}

/** Whether an allowed decoder has the codec. Phones and broadcasts add tracks in new codecs that none has. */
export function isKnown({ codec }: Stream): boolean {
  return decodableCodecs.has(codec);
}

const maxInvisibleGapSeconds = 0.05;

/** Whether a video that starts this late needs no padding. Otherwise its first frame is shown from t=0. */
export function isInvisibleGap(startSeconds: number): boolean {
  return startSeconds <= maxInvisibleGapSeconds;
}

/** The end of the last of these streams in seconds. The duration of the file if a stream declares none. */
export function endSecondsOf(probe: Probe, streams: (Stream | undefined)[]): number | undefined {
  const ends = streams
    .filter((stream) => stream !== undefined)
    .map(({ startSeconds, durationSeconds }) => startSeconds + (durationSeconds ?? Number.NaN));
  const last = Math.max(...ends);
  return Number.isFinite(last) ? last : probe.durationSeconds;
}

/** The video stream of a video or an image. @throws JobError `INPUT_UNSUPPORTED` if there is none that decodes correctly */
export function requireVideoStream(probe: Probe): VideoStream {
  const video = requireImage(probe);
  if (video.heif && isComposed(video.heif)) {
    rejectInput(
      'Expected an image of one part, found tiles, a crop, a rotation or transparency in HEIF. Use the recipe image first',
    );
  }
  return video;
}

/** Like `requireVideoStream`, for a recipe that composes the parts of a HEIF image. */
export function requireImage(probe: Probe): VideoStream {
  const video = mainVideo(probe);
  if (video === undefined) rejectInput('This recipe needs a video stream; the input has none');
  if (!isKnown(video)) rejectInput(`The video of the input is ${describeCodecs([video])}`);
  if (video.dolbyVision === 'incompatible') {
    rejectInput(
      'Expected a video that decodes without Dolby Vision, found Dolby Vision without a compatible base layer (profile 5), which would come out green and purple. Send one with an HDR10 or HLG base layer, such as profile 8',
    );
  }
  return video;
}

/** Whether the image of a HEIF file is more than a decoded frame. */
function isComposed({ tileIds, crop, rotation, mirror, alphaId }: NonNullable<VideoStream['heif']>): boolean {
  return tileIds.length > 1 || crop !== undefined || rotation !== 0 || mirror !== undefined || alphaId !== undefined;
}

/** The video stream of a video. @throws JobError `INPUT_UNSUPPORTED` for audio files and still images */
export function requireVideo(probe: Probe): VideoStream {
  const video = requireVideoStream(probe);
  if (probe.durationSeconds !== undefined) return video;
  rejectInput('This recipe needs a video; the input is a still image');
}

/** @throws JobError `INPUT_UNSUPPORTED` if the input has no audio stream */
export function requireAudio(probe: Probe): AudioStream {
  const audio = mainAudio(probe);
  if (audio) return audio;
  const tracks = ownAudio(probe);
  if (tracks.length > 0) rejectInput(`The audio of the input is ${describeCodecs(tracks)}`);
  rejectInput('This recipe needs an audio stream; the input has none');
}

/** Sample entries of MP4 whose samples are encrypted (ISO/IEC 23001-7), those of iTunes and Audible included. */
export const encryptedEntry = /^(?:enc[vas]|drm[si]|aavd)$/;

/** Such as `ac4, which no decoder of this service has`. */
export function describeCodecs(streams: readonly Stream[]): string {
  const names = streams.map(({ codec }) => {
    if (encryptedEntry.test(codec)) return `encrypted (${codec})`;
    return codec === 'unknown' ? 'an unknown codec' : codec;
  });
  return `${[...new Set(names)].join(' and ')}, which no decoder of this service has`;
}

/** Whether ffmpeg reads this container as a single image. */
export function isImageContainer(container: string): boolean {
  return /_pipe$|^image2$/.test(container) || container === heifContainer;
}

/** ffprobe reports a size of 0 for an animated WebP. */
export function mayBeAnimatedWebp({ streams: [first] }: Probe): boolean {
  return first?.kind === 'video' && first.codec === 'webp' && first.width === 0;
}

/** Only an animated WebP is read as a single image and has a duration. */
export function isAnimatedWebp({ container, durationSeconds }: Probe): boolean {
  return isImageContainer(container) && durationSeconds !== undefined;
}
