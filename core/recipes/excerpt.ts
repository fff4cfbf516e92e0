import * as z from 'zod';
import { JobError } from '../errors.ts';
import { oneGraph, oneSize } from '../media/changing-size.ts';
import type { CommandInput } from '../media/command.ts';
import type { VideoStream } from '../media/probe.ts';
import { seekPoint } from '../media/seek.ts';
import { roundedSize, type Size, shrinkInto } from '../media/size.ts';
import { endOf, requireMovingPicture } from '../media/streams.ts';
import { type PictureChange, videoFilters } from '../media/video-filters.ts';
import type { PlanInput } from './recipe.ts';

const longestSeconds = 60;

/** The parameters of a recipe that makes an animated picture of a part of a video. */
export const excerptParameters = z.strictObject({
  start: z.number().min(0).default(0).meta({ description: 'Where it begins, in seconds.' }),
  seconds: z
    .number()
    .min(0.1)
    .max(longestSeconds)
    .optional()
    .meta({
      description: `How many seconds of the video; the rest of it where left out, at most ${longestSeconds}.`,
    }),
  fps: z.int().min(1).max(50).default(12).meta({ description: 'Frames a second.' }),
  width: z.int().min(16).max(1280).default(480).meta({
    description: 'Widest the picture may be, in pixels. It is never enlarged.',
  }),
  loop: z.boolean().default(true).meta({ description: 'Whether it begins again at its end.' }),
});

export type Excerpt = {
  video: VideoStream;
  size: Size;
  durationSeconds: number;
  /** Reads the part and little more. */
  source: CommandInput;
  /** The chain that begins exactly and brings the picture into size and rate. */
  filters: string;
};

/** How the part of the input is read that the parameters ask for; refuses one that the input does not have. */
export function takeExcerpt(
  input: PlanInput<z.output<typeof excerptParameters>>,
  colours: Pick<PictureChange, 'matrix'> = { matrix: 'rgb' },
): Excerpt {
  const { probe, inputPath, parameters } = input;
  const { start, fps: framesPerSecond, width } = parameters;
  const video = requireMovingPicture(probe);
  const durationSeconds = lengthOf(parameters, endOf(probe, [video]) ?? 0);
  const size = roundedSize(shrinkInto(video, { width }));
  const from = seekPoint(probe, start);
  const options = [
    ...oneGraph(video),
    '-ss',
    from.toFixed(3),
    '-t',
    (start - from + durationSeconds).toFixed(3),
  ];
  const picture = { scale: size, framesPerSecond, begin: start - from, ...colours };
  const filters = [...oneSize(video), ...videoFilters(video, picture)].join(',');
  return { video, size, durationSeconds, source: { path: inputPath, options }, filters };
}

function lengthOf({ start, seconds }: { start: number; seconds?: number | undefined }, end: number): number {
  const rest = end - start;
  if (rest < 0.1) refuse(`It begins at ${start} s, and the video lasts ${end.toFixed(3)} s`);
  const length = Math.min(seconds ?? rest, rest);
  if (length > longestSeconds) {
    refuse(`The rest of the video lasts ${length.toFixed(1)} s, and the limit is ${longestSeconds} s`);
  }
  return length;
}

function refuse(message: string): never {
  throw new JobError('INPUT_UNSUPPORTED', message, { retryable: false });
}
