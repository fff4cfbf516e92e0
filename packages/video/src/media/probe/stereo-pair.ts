import type { AudioStream } from './probe.ts';

// A stereo track ends with the shorter of its channels.
const maxLostSeconds = 0.1;

/** By ffmpeg's names. MP4 has that of MOV. */
const pairedContainers = /^(mxf|mov,)/;

/**
 * The first two audio tracks of an MXF or MOV as one stereo track. Cameras, broadcasters and editors store each channel as a
 * mono track of its own, and editing programs play the first two as left and right. Undefined unless all tracks are alike:
 * mono, PCM, of one sample rate, language, start and end.
 */
export function stereoPair(container: string, tracks: readonly AudioStream[]): AudioStream | undefined {
  const [left, right] = tracks;
  if (!pairedContainers.test(container) || left === undefined || right === undefined) return undefined;
  const isAlike = (track: AudioStream) =>
    track.channels === 1 &&
    track.codec === left.codec &&
    track.sampleRateHz === left.sampleRateHz &&
    track.language === left.language &&
    track.startSeconds === left.startSeconds &&
    endTogether(left, track);
  if (!left.codec.startsWith('pcm_') || !tracks.every(isAlike)) return undefined;
  return { ...left, channels: 2, rightIndex: right.index };
}

/** Whether both tracks end at about the same time, as far as the container states it. */
function endTogether({ durationSeconds: one }: AudioStream, { durationSeconds: other }: AudioStream): boolean {
  return one === undefined || other === undefined || Math.abs(one - other) <= maxLostSeconds;
}
