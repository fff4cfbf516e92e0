import type { AudioStream, Probe, VideoStream } from './probe.ts';
import { isKnown, mainVideo } from './streams.ts';

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
