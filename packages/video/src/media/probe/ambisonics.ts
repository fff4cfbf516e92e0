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
