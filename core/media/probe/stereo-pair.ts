import type { AudioStream } from './probe.ts';

/**
 * The first two audio tracks of an MXF as one stereo track. Cameras and broadcasters store each channel as a mono track of
 * its own, and editors play the first two as left and right. Undefined unless all tracks are alike: mono, PCM, one sample
 * rate.
 */
export function stereoPair(container: string, tracks: readonly AudioStream[]): AudioStream | undefined {
  const [left, right] = tracks;
  if (container !== 'mxf' || left === undefined || right === undefined) return undefined;
  const isAlike = (track: AudioStream) =>
    track.channels === 1 &&
    track.codec === left.codec &&
    track.sampleRateHz === left.sampleRateHz &&
    track.language === left.language;
  if (!left.codec.startsWith('pcm_') || !tracks.every(isAlike)) return undefined;
  return { ...left, channels: 2, rightIndex: right.index };
}
