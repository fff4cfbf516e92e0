import type { FfprobeStream } from './ffprobe-output.ts';
import type { Ambisonics, AudioStream } from './probe.ts';

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
