import type { SegmentRates } from './segment-rates.ts';

/** Measurements of a finished stream. */
export type MeasuredStream = SegmentRates & {
  /** Undefined for audio. */
  framesPerSecond?: number | undefined;
};

/** A master playlist lists other playlists instead of segments. */
export function isMasterPlaylist(text: string): boolean {
  return /^#EXT-X-STREAM-INF:/m.test(text);
}

/** Marks a media playlist as VOD and drops the wall-clock time of the encode. */
export function rewriteMediaPlaylist(text: string): string {
  return text
    .replace(/^#EXT-X-PROGRAM-DATE-TIME:.*\n/gm, '')
    .replace(/^#EXT-X-MEDIA-SEQUENCE:.*\n/m, '$&#EXT-X-PLAYLIST-TYPE:VOD\n');
}

/**
 * Adds what Apple requires of VOD to a master playlist: measured instead of declared bit rates (video plus audio), the
 * frame rate, and independent segments. `streams` are by filename of their media playlists.
 */
export function rewriteMasterPlaylist(text: string, streams: ReadonlyMap<string, MeasuredStream>): string {
  const audio = streams.get(/^#EXT-X-MEDIA:TYPE=AUDIO,.*\bURI="([^"]*)"/m.exec(text)?.[1] ?? '');
  return text
    .replace(/^#EXT-X-VERSION:.*\n/m, '$&#EXT-X-INDEPENDENT-SEGMENTS\n')
    .replace(/^#EXT-X-STREAM-INF:BANDWIDTH=\d+(.*)\n(.*)$/gm, (line, others: string, playlist: string) => {
      const video = streams.get(playlist);
      if (video === undefined) return line;
      const total = (rate: keyof SegmentRates) => Math.ceil(video[rate] + (audio?.[rate] ?? 0));
      const rates = `BANDWIDTH=${total('peakBitsPerSecond')},AVERAGE-BANDWIDTH=${total('averageBitsPerSecond')}`;
      return `#EXT-X-STREAM-INF:${rates}${others}${frameRateAttribute(video)}\n${playlist}`;
    });
}

function frameRateAttribute({ framesPerSecond }: MeasuredStream): string {
  return framesPerSecond === undefined ? '' : `,FRAME-RATE=${framesPerSecond.toFixed(3)}`;
}
