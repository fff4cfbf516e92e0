import * as z from 'zod';
import { JobError, type JobErrorCode } from '../../errors.ts';
import { integerBetween } from '../../values.ts';
import type { JobWarning } from '../outputs/work-result.ts';
import type { Probe, VideoStream } from './probe.ts';
import { isAnimatedWebp } from './streams.ts';

/** Maximum number of streams that ffmpeg opens, attachments included. Thousands would take minutes and gigabytes. */
export const maxOpenedStreams = 256;

/** Maximum of the setting: of streams that a recipe may decode. */
export const maxStreams = 64;

const limit = (max: number, defaultValue: number, description: string) =>
  integerBetween(1, max).default(defaultValue).meta({ description });

/** Maximum size of a subtitle file, which ffmpeg holds in memory. A whole day of text is far smaller. */
export const maxSubtitleBytes = 10_000_000;

/** The most that a worker downloads. Its disk of 10 GB holds the outputs, too. */
export const maxDownloadBytes = 9_000_000_000;

/** The disk of a function, for inputs and outputs together. */
export const functionDiskBytes = 10_000_000_000;

/** Disk that a job of several steps keeps free for its intermediates. One has at most 3 GB; see packages/video/src/recipes/graph/DECISION.md. */
export const intermediatesBytes = 4_000_000_000;

/** The maximum of each property of an input: settings of a stage with their defaults. */
export const inputLimitsSchema = z.strictObject({
  sizeBytes: limit(
    100_000_000_000,
    50_000_000_000,
    'Maximum size of an input. What is not encoded in chunks is downloaded: at most 9 GB, and 5 GB for a pipeline, since the worker has 10 GB of disk for inputs, intermediates and outputs together.',
  ),
  durationSeconds: limit(86_400, 28_800, 'Maximum duration of an input.'),
  width: limit(16_384, 8192, 'Maximum width of an input in pixels.'),
  height: limit(16_384, 8192, 'Maximum height of an input in pixels.'),
  streams: limit(
    maxStreams,
    32,
    'Maximum number of streams of an input, without attachments such as the fonts of subtitles.',
  ),
  framesPerSecond: limit(1000, 300, 'Maximum frame rate of an input. Phones record slow motion at 240.'),
});

export type InputLimits = z.output<typeof inputLimitsSchema>;

type InputFault = { code: JobErrorCode; message: string };

/**
 * Rejects an input before encoding if it is not media or exceeds a limit. The error names the value and the limit.
 * @throws JobError `INPUT_NOT_MEDIA`, `INPUT_TOO_LARGE`, `INPUT_TOO_LONG` or `INPUT_UNSUPPORTED`
 */
export function validateProbe(probe: Probe, limits: InputLimits): void {
  for (const { code, message } of findInputFaults(probe, limits)) throw new JobError(code, message);
}

/** Warnings of a recipe that describes an input which recipes that decode it would reject. */
export function inputFaultWarnings(probe: Probe, limits: InputLimits): JobWarning[] {
  return findInputFaults(probe, limits).map(({ message }) => ({
    code: 'INPUT_UNSUPPORTED',
    message: `Other recipes reject this input: ${message}`,
  }));
}

function findInputFaults(probe: Probe, limits: InputLimits): InputFault[] {
  const { sizeBytes, durationSeconds: seconds = 0, streams } = probe;
  const faults: InputFault[] = [];
  const reject = (code: JobErrorCode, message: string) => faults.push({ code, message });
  if (sizeBytes > limits.sizeBytes) {
    reject('INPUT_TOO_LARGE', `The input has ${sizeBytes} bytes; the limit is ${limits.sizeBytes} bytes`);
  }
  if (seconds > limits.durationSeconds) {
    const limitSeconds = limits.durationSeconds;
    reject('INPUT_TOO_LONG', `The input lasts ${roundToThousandth(seconds)} s; the limit is ${limitSeconds} s`);
  }
  const count = streams.filter(({ kind }) => kind !== 'attachment').length;
  if (count > limits.streams) {
    reject('INPUT_UNSUPPORTED', `The input has ${count} streams; the limit is ${limits.streams}`);
  }
  if (!streams.some(({ kind }) => kind === 'video' || kind === 'audio')) {
    reject('INPUT_NOT_MEDIA', 'The input has neither video nor audio');
  }
  if (probe.misreading !== undefined) reject('INPUT_UNSUPPORTED', probe.misreading);
  if (isAnimatedWebp(probe))
    reject('INPUT_UNSUPPORTED', 'The input is an animated WebP, which cannot be decoded. Send a GIF or a video');
  // No recipe decodes a cover.
  const ofVideos = streams.flatMap((stream) =>
    stream.kind === 'video' && !stream.isAttachedPicture ? findVideoFaults(stream, limits) : [],
  );
  return [...faults, ...ofVideos];
}

function findVideoFaults(
  { index, width, height, framesPerSecond = 0 }: VideoStream,
  limits: InputLimits,
): InputFault[] {
  const faults: InputFault[] = [];
  if (width < 1 || height < 1) {
    const message = `The size of video stream ${index} of the input cannot be read`;
    faults.push({ code: 'INPUT_UNSUPPORTED', message });
  }
  if (width > limits.width || height > limits.height) {
    const message = `The video is ${width}x${height} pixels; the limit is ${limits.width}x${limits.height}`;
    faults.push({ code: 'INPUT_TOO_LARGE', message });
  }
  if (framesPerSecond > limits.framesPerSecond) {
    const fps = roundToThousandth(framesPerSecond);
    const message = `The video has ${fps} frames per second; the limit is ${limits.framesPerSecond}`;
    faults.push({ code: 'INPUT_UNSUPPORTED', message });
  }
  return faults;
}

/** Rejects inputs that are each within the duration limit, but not together. */
export function validateTotalDuration(probes: readonly Probe[], { durationSeconds: maxSeconds }: InputLimits): void {
  const seconds = probes.reduce((sum, probe) => sum + (probe.durationSeconds ?? 0), 0);
  if (seconds <= maxSeconds) return;
  throw new JobError(
    'INPUT_TOO_LONG',
    `The inputs last ${roundToThousandth(seconds)} s together; the limit is ${maxSeconds} s`,
  );
}

/** Decoder limit in pixels. Large enough that probing succeeds and the error can name the exceeded limit. */
export function maxDecodedPixels({ width, height }: Pick<InputLimits, 'width' | 'height'>): number {
  return Math.max(width * height, 8192 * 8192);
}

function roundToThousandth(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
