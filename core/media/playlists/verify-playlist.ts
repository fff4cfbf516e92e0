import { JobError } from '../../errors.ts';
import { durationToleranceSeconds } from '../outputs/verify-output.ts';
import { findReferences, type ReferencingFormat } from './references.ts';

/** What a finished playlist must be. */
export type PlaylistExpectation = {
  format: ReferencingFormat;
  /** The names of all files that are delivered with it. */
  outputFilenames: readonly string[];
  /** Seconds that it plays; left out for one that lists playlists alone. */
  durationSeconds?: number | undefined;
};

/**
 * Compares a finished playlist with the plan: all that it names is delivered with it, and it plays as long as planned.
 * @throws JobError `TRANSCODE_ERROR` that says what is wrong with it
 */
export function verifyPlaylist(
  text: string,
  { format, outputFilenames, durationSeconds: planned }: PlaylistExpectation,
): void {
  const names = findReferences(text, format);
  if (names.length === 0) disagree('names no file');
  const missing = names.find((name) => !outputFilenames.includes(name));
  if (missing !== undefined) disagree(`names ${missing}, which was not made`);
  if (planned === undefined) return;
  const found = readPlaylistSeconds(text, format) ?? 0;
  if (Math.abs(found - planned) <= durationToleranceSeconds(planned)) return;
  disagree(`lasts ${found.toFixed(2)} s; planned was ${planned.toFixed(2)} s`);
}

/** Seconds that a playlist plays, by what it says itself; undefined where it does not. */
export function readPlaylistSeconds(text: string, format: ReferencingFormat): number | undefined {
  switch (format) {
    case 'm3u8': {
      const lengths = [...text.matchAll(/^#EXTINF:([\d.]+)/gm)].map(([, seconds]) => Number(seconds));
      return lengths.length === 0 ? undefined : lengths.reduce((sum, seconds) => sum + seconds);
    }
    case 'mpd':
      return clockSeconds(
        /\bmediaPresentationDuration="PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?"/.exec(text) ?? undefined,
      );
    case 'vtt':
      return clockSeconds([...text.matchAll(/ --> (\d+):(\d\d):(\d\d\.\d{3})$/gm)].at(-1));
  }
}

function clockSeconds(found: RegExpExecArray | undefined): number | undefined {
  if (found === undefined) return undefined;
  const [, hours = 0, minutes = 0, seconds = 0] = found;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function disagree(found: string): never {
  throw new JobError('TRANSCODE_ERROR', `The finished playlist ${found}`);
}
