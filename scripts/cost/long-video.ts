import { measured } from './measured.ts';

/** The film that is reckoned with: it has been uploaded to the bucket, with its index in front. */
export const longVideo = {
  seconds: 2 * 3600,
  resolution: '1080p',
  framesPerSecond: 30,
  sourceMbps: 5,
  audioKbps: 128,
} as const;

/** Of the source, in GB. */
export const sourceGb = gbOf(longVideo.sourceMbps * 1000);

/** Of the sound alone, and of the finished file, in GB. */
export const audioGb = gbOf(longVideo.audioKbps);
export const resultGb = gbOf(measured[longVideo.resolution].bitrateKbps);

export const frameCount = longVideo.seconds * longVideo.framesPerSecond;

function gbOf(kbps: number): number {
  return (kbps * longVideo.seconds) / 8 / 1e6;
}
