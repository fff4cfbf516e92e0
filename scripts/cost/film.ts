import { measured } from './measured.ts';

/** The film that is reckoned with: it has been uploaded to the bucket, with its index in front. */
export const film = {
  seconds: 2 * 3600,
  resolution: '1080p',
  framesPerSecond: 30,
  sourceMbps: 5,
  soundKbps: 128,
} as const;

/** Of the source, in GB. */
export const sourceGb = gbOf(film.sourceMbps * 1000);

/** Of the sound alone, and of the finished file, in GB. */
export const soundGb = gbOf(film.soundKbps);
export const resultGb = gbOf(measured[film.resolution].bitrateKbps);

export const pictures = film.seconds * film.framesPerSecond;

function gbOf(kbps: number): number {
  return (kbps * film.seconds) / 8 / 1e6;
}
