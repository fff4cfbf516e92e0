import * as z from 'zod';
import { JobError, type JobErrorCode } from '../../errors.ts';
import { integerBetween } from '../../integer-between.ts';
import type { Probe, VideoStream } from './probe.ts';
import { isAnimatedWebp } from './streams.ts';

/** As many as ffmpeg opens: a file of thousands would cost minutes and gigabytes before it could be refused. */
export const maxStreams = 64;

const limit = (most: number, value: number, description: string) =>
  integerBetween(1, most).default(value).meta({ description });

/** Text of a whole day has far fewer; ffmpeg holds all of it in memory. */
export const maxSubtitleBytes = 10_000_000;

/** What an input may be at most: settings of a stage, with their defaults. */
export const inputLimitsSchema = z.strictObject({
  sizeBytes: limit(
    9_000_000_000,
    5_000_000_000,
    'Largest input; the worker has 10 GB of disk for the input and the outputs together.',
  ),
  durationSeconds: limit(86_400, 14_400, 'Longest input.'),
  width: limit(16_384, 8192, 'Widest input, in pixels.'),
  height: limit(16_384, 8192, 'Tallest input, in pixels.'),
  streams: limit(maxStreams, 16, 'Most streams in an input; Matroska counts the fonts of its subtitles.'),
  framesPerSecond: limit(1000, 120, 'Highest frame rate of an input; phones record slow motion at 240.'),
});

export type InputLimits = z.output<typeof inputLimitsSchema>;

/**
 * Refuses an input before anything is encoded: what is not media, or beyond a limit. Every refusal names the
 * measured value and the limit.
 * @throws JobError `INPUT_NOT_MEDIA`, `INPUT_TOO_LARGE`, `INPUT_TOO_LONG` or `INPUT_UNSUPPORTED`
 */
export function validateProbe(probe: Probe, limits: InputLimits): void {
  validateInputSize(probe.sizeBytes, limits);
  const { durationSeconds: seconds = 0 } = probe;
  if (seconds > limits.durationSeconds) {
    refuse('INPUT_TOO_LONG', `The input lasts ${tidy(seconds)} s; the limit is ${limits.durationSeconds} s`);
  }
  if (probe.streams.length > limits.streams) {
    refuse(
      'INPUT_UNSUPPORTED',
      `The input has ${probe.streams.length} streams; the limit is ${limits.streams}`,
    );
  }
  if (!probe.streams.some(({ kind }) => kind === 'video' || kind === 'audio')) {
    refuse('INPUT_NOT_MEDIA', 'The input has neither picture nor sound');
  }
  if (isAnimatedWebp(probe)) {
    refuse(
      'INPUT_UNSUPPORTED',
      'The input is an animated WebP, which cannot be decoded; send a GIF or a video',
    );
  }
  for (const stream of probe.streams) if (stream.kind === 'video') judgePicture(stream, limits);
}

/** Refuses inputs that are each within the limit, and too long when they are joined. */
export function validateTotalDuration(
  probes: readonly Probe[],
  { durationSeconds: most }: InputLimits,
): void {
  const seconds = probes.reduce((sum, probe) => sum + (probe.durationSeconds ?? 0), 0);
  if (seconds <= most) return;
  refuse('INPUT_TOO_LONG', `The inputs last ${tidy(seconds)} s together; the limit is ${most} s`);
}

/** Most pixels that have to be decodable: never so few that the measuring fails before a limit can be named. */
export function maxDecodedPixels({ width, height }: Pick<InputLimits, 'width' | 'height'>): number {
  return Math.max(width * height, 8192 * 8192);
}

/** Refuses a size that is over the limit; also for a size that a server announces before the download. */
export function validateInputSize(sizeBytes: number, limits: Pick<InputLimits, 'sizeBytes'>): void {
  if (sizeBytes <= limits.sizeBytes) return;
  refuse('INPUT_TOO_LARGE', `The input has ${sizeBytes} bytes; the limit is ${limits.sizeBytes} bytes`);
}

function judgePicture({ index, width, height, framesPerSecond = 0 }: VideoStream, limits: InputLimits): void {
  if (width < 1 || height < 1) {
    refuse('INPUT_UNSUPPORTED', `The size of video stream ${index} of the input cannot be read`);
  }
  if (width > limits.width || height > limits.height) {
    refuse(
      'INPUT_TOO_LARGE',
      `The picture is ${width}x${height} pixels; the limit is ${limits.width}x${limits.height}`,
    );
  }
  if (framesPerSecond > limits.framesPerSecond) {
    refuse(
      'INPUT_UNSUPPORTED',
      `The picture has ${tidy(framesPerSecond)} frames a second; the limit is ${limits.framesPerSecond}`,
    );
  }
}

function refuse(code: JobErrorCode, message: string): never {
  throw new JobError(code, message);
}

function tidy(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
