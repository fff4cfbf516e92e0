import { rejectInput } from '../../errors.ts';
import { decodableCodecs } from '../codecs/input-decoders.ts';
import type { FfprobeStream } from './ffprobe-output.ts';
import { heifContainer } from './heif/heif-probe.ts';
import type { Ambisonics, AudioStream, Probe, Stream, VideoStream } from './probe.ts';

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

/** Reads ffprobe's name of a channel layout, such as `ambisonic 1`. Undefined for loudspeaker layouts. */
export function readAmbisonics(layout: string | undefined, channels: number): Ambisonics | undefined {
  const order = /^ambisonic (\d+)/.exec(layout ?? '')?.[1];
  if (order === undefined) return undefined;
  const components = (Number(order) + 1) ** 2;
  return channels === components + 2 ? { stereoChannel: components } : {};
}

/** An ambisonic track as recipes decode it: in stereo. Any other track is unchanged. */
export function decodedTrack<Track extends AudioStream | undefined>(track: Track): Track {
  return track?.ambisonics === undefined ? track : { ...track, channels: 2 };
}

/**
 * Whether a track of PCM has separate channels, of which editing programs play the first two as left and right: one of
 * more than two whose file states no loudspeakers, in WAV or beside the video of an MXF, as in D-10. ffmpeg takes eight for
 * 7.1, with the third in the center. Six are 5.1 in most files, and so are the tracks of cinema in MXF without video.
 */
export function hasDiscreteChannels(
  { codec_name: codec, channels = 0, channel_layout: layout }: FfprobeStream,
  { container, hasVideo }: { container: string; hasVideo: boolean },
): boolean {
  const isStated = layout !== undefined && layout !== 'unknown';
  if (isStated || codec?.startsWith('pcm_') !== true || channels <= 2 || channels === 6) return false;
  return container === 'wav' || (container === 'mxf' && hasVideo);
}

// A joined track ends with the shortest of its channels.
const maxLostSeconds = 0.1;

/** By ffmpeg's names. MP4 has that of MOV. */
const pairedContainers = /^(mxf|mov,)/;

/** What ffprobe reports of the loudspeakers of 5.1, in the order of ffmpeg, if each has a track that names it. */
const surroundLayouts = [/\(FL\)$/, /\(FR\)$/, /^mono$/, /\(LFE\)$/, /\([BS]L\)$/, /\([BS]R\)$/];

/**
 * The first audio tracks of an MXF or MOV as one track. Cameras, broadcasters and editors store each channel as a mono track of
 * its own. The first six are 5.1 if they name its loudspeakers. Otherwise editing programs play the first two as left and
 * right, unless not all tracks are alike: mono, PCM, of one sample rate, language, start and end. Undefined for neither.
 */
export function joinMonoTracks(container: string, tracks: readonly AudioStream[]): AudioStream | undefined {
  const [left] = tracks;
  if (!pairedContainers.test(container) || left === undefined || tracks.length < 2) return undefined;
  const isAlike = (track: AudioStream) =>
    track.channels === 1 &&
    track.codec === left.codec &&
    track.sampleRateHz === left.sampleRateHz &&
    track.language === left.language &&
    track.startSeconds === left.startSeconds &&
    endTogether(left, track);
  const isSurround = surroundLayouts.every((layout, at) => layout.test(tracks[at]?.channelLayout ?? ''));
  const joined = tracks.slice(0, isSurround ? surroundLayouts.length : 2);
  if (!left.codec.startsWith('pcm_') || !(isSurround ? joined : tracks).every(isAlike)) return undefined;
  return { ...left, channels: joined.length, joinedIndexes: joined.slice(1).map(({ index }) => index) };
}

/** Whether both tracks end at about the same time, as far as the container states it. */
function endTogether({ durationSeconds: one }: AudioStream, { durationSeconds: other }: AudioStream): boolean {
  return one === undefined || other === undefined || Math.abs(one - other) <= maxLostSeconds;
}

/**
 * How far ffmpeg searches an input for the first packet of each stream. Its defaults are 5 s and 5 MB. The start of a track
 * that begins later is known only from its first packet, and in MPEG-TS its format too.
 */
export const streamSearch = ['-analyzeduration', String(3600 * 1_000_000), '-probesize', String(50 * 1024 * 1024)];

/** Below the shortest default. */
const lateSeconds = 4;

/**
 * Whether a probe with `streamSearch` may find more. MPEG-TS is read as far as that allows in any case, so only without the
 * format of a stream. The header of Matroska has the formats, but not when a stream starts: the search ends once it has a
 * packet of each.
 */
export function needsStreamSearch(probe: Probe): boolean {
  const streams = usedStreams(probe);
  if (probe.container === 'matroska,webm') return streams.length > 1;
  return streams.some((stream) =>
    stream.kind === 'audio' ? stream.channels === 0 || stream.sampleRateHz === 0 : stream.width === 0,
  );
}

/** Input options with which ffmpeg copies a stream of MPEG-TS that begins late. Its decoders need none. */
export function lateStreamOptions(probe: Probe): string[] {
  const hasLate = usedStreams(probe).some(({ startSeconds }) => startSeconds > lateSeconds);
  return probe.container === 'mpegts' && hasLate ? streamSearch : [];
}

/** The streams that recipes use, of codecs that ffmpeg knows. */
function usedStreams(probe: Probe): (AudioStream | VideoStream)[] {
  const audio = probe.streams.filter((stream) => stream.kind === 'audio');
  return [mainVideo(probe) ?? [], ...audio].flat().filter(isKnown);
}
