import type { Probe, Stream } from './probe.ts';

/**
 * How far ffmpeg searches an input for the first packet of each stream. Its defaults are 5 s and 5 MB. The start of a track
 * that begins later is known only from its first packet, and in MPEG-TS its format too.
 */
export const streamSearch = [
  '-analyzeduration',
  String(3600 * 1_000_000),
  '-probesize',
  String(50 * 1024 * 1024),
];

/** Below the shortest default. */
const lateSeconds = 4;

/**
 * Whether a probe with `streamSearch` may find more. MPEG-TS is read as far as that allows in any case, so only without the
 * format of a stream. The header of Matroska has the formats, but not when a stream starts: the search ends once it has a
 * packet of each.
 */
export function needsStreamSearch({ container, streams }: Probe): boolean {
  const timed = streams.filter(isTimed);
  if (container === 'matroska,webm') return timed.length > 1;
  return timed.some((stream) =>
    stream.kind === 'audio' ? stream.channels === 0 || stream.sampleRateHz === 0 : stream.width === 0,
  );
}

/** Input options with which ffmpeg copies a stream of MPEG-TS that begins late. Its decoders need none. */
export function lateStreamOptions({ container, streams }: Probe): string[] {
  const hasLate = streams.filter(isTimed).some(({ startSeconds }) => startSeconds > lateSeconds);
  return container === 'mpegts' && hasLate ? streamSearch : [];
}

/** A stream that ffmpeg can decode, with times. */
function isTimed(stream: Stream): stream is Extract<Stream, { kind: 'audio' | 'video' }> {
  if (stream.codec === 'unknown') return false;
  return stream.kind === 'audio' || (stream.kind === 'video' && !stream.isAttachedPicture);
}
