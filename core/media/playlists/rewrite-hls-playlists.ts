import type { SegmentRates } from './segment-rates.ts';

/** What the finished files tell of a stream. */
export type MeasuredStream = SegmentRates & {
  /** Left out for sound. */
  framesPerSecond?: number;
};

/** Whether a playlist lists others, and no segments. */
export function isMasterPlaylist(text: string): boolean {
  return /^#EXT-X-STREAM-INF:/m.test(text);
}

/** A media playlist without the time of day at which its file was encoded, which is nothing of the film. */
export function rewriteMediaPlaylist(text: string): string {
  return text
    .replace(/^#EXT-X-PROGRAM-DATE-TIME:.*\n/gm, '')
    .replace(/^#EXT-X-MEDIA-SEQUENCE:.*\n/m, '$&#EXT-X-PLAYLIST-TYPE:VOD\n');
}

/**
 * A master playlist that says of each size, with the sound, what Apple demands of films: the rates that were measured in
 * place of those that were allowed, the frame rate, and that every segment can be entered. `facts` are by the names of
 * media playlists.
 */
export function rewriteMasterPlaylist(text: string, facts: ReadonlyMap<string, MeasuredStream>): string {
  const sound = facts.get(/^#EXT-X-MEDIA:TYPE=AUDIO,.*\bURI="([^"]*)"/m.exec(text)?.[1] ?? '');
  return text
    .replace(/^#EXT-X-VERSION:.*\n/m, '$&#EXT-X-INDEPENDENT-SEGMENTS\n')
    .replace(/^#EXT-X-STREAM-INF:BANDWIDTH=\d+(.*)\n(.*)$/gm, (line, others: string, playlist: string) => {
      const picture = facts.get(playlist);
      if (picture === undefined) return line;
      const together = (rate: keyof SegmentRates) => Math.ceil(picture[rate] + (sound?.[rate] ?? 0));
      const rates = `BANDWIDTH=${together('peak')},AVERAGE-BANDWIDTH=${together('average')}`;
      return `#EXT-X-STREAM-INF:${rates}${others}${frameRate(picture)}\n${playlist}`;
    });
}

function frameRate({ framesPerSecond }: MeasuredStream): string {
  return framesPerSecond === undefined ? '' : `,FRAME-RATE=${framesPerSecond.toFixed(3)}`;
}
