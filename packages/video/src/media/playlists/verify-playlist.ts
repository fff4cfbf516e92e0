import { JobError } from '../../errors.ts';
import { durationToleranceSeconds } from '../frame-rate.ts';
import { findReferences, type ReferencingFormat } from './references.ts';

export type PlaylistExpectation = {
  format: ReferencingFormat;
  /** The filenames of all outputs of the job. */
  outputFilenames: readonly string[];
  /** Undefined for a master playlist, which declares no duration. */
  durationSeconds?: number | undefined;
};

/**
 * Checks that every file a playlist refers to is an output, and that its duration is as planned.
 * @throws JobError `TRANSCODE_ERROR` that names the difference
 */
export function verifyPlaylist(
  text: string,
  { format, outputFilenames, durationSeconds: planned }: PlaylistExpectation,
): void {
  const names = findReferences(text, format);
  if (names.length === 0) reject('refers to no file');
  const missing = names.find((name) => !outputFilenames.includes(name));
  if (missing !== undefined) reject(`refers to ${missing}, which is not an output`);
  if (planned === undefined) return;
  const found = readPlaylistSeconds(text, format) ?? 0;
  if (Math.abs(found - planned) <= durationToleranceSeconds(planned)) return;
  reject(`lasts ${found.toFixed(2)} s; expected ${planned.toFixed(2)} s`);
}

/** The duration that a playlist declares, in seconds; undefined if it declares none. */
export function readPlaylistSeconds(text: string, format: ReferencingFormat): number | undefined {
  switch (format) {
    case 'm3u8': {
      const durations = [...text.matchAll(/^#EXTINF:([\d.]+)/gm)].map(([, seconds]) => Number(seconds));
      return durations.length === 0 ? undefined : durations.reduce((sum, seconds) => sum + seconds);
    }
    case 'mpd':
      return timestampSeconds(
        /\bmediaPresentationDuration="PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?"/.exec(text) ?? undefined,
      );
    case 'vtt':
      return timestampSeconds([...text.matchAll(/ --> (\d+):(\d\d):(\d\d\.\d{3})$/gm)].at(-1));
  }
}

function timestampSeconds(found: RegExpExecArray | undefined): number | undefined {
  if (found === undefined) return undefined;
  const [, hours = 0, minutes = 0, seconds = 0] = found;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function reject(problem: string): never {
  throw new JobError('TRANSCODE_ERROR', `The finished playlist ${problem}`);
}
