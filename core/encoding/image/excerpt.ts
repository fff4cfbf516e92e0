import * as z from 'zod';
import { JobError } from '../../errors.ts';
import type { CommandInput } from '../../media/ffmpeg/command.ts';
import { seekPoint } from '../../media/ffmpeg/seek.ts';
import {
  type FrameTransform,
  keepFilterGraph,
  normalizeFrameSize,
  videoFilters,
} from '../../media/filters/video-filters.ts';
import { roundedSize, type Size, shrinkInto } from '../../media/frame-size.ts';
import type { VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../media/probe/streams.ts';
import type { PlanInput } from '../plan.ts';

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
export function excerptInput(
  input: PlanInput<z.output<typeof excerptParameters>>,
  colors: Pick<FrameTransform, 'colorMatrix'> = { colorMatrix: 'rgb' },
): Excerpt {
  const { probe, inputPath, parameters } = input;
  const { start, fps: framesPerSecond, width } = parameters;
  const video = requireVideo(probe);
  const durationSeconds = lengthOf(parameters, endSecondsOf(probe, [video]) ?? 0);
  const size = roundedSize(shrinkInto(video, { width }));
  const from = seekPoint(probe, start);
  const options = [
    ...keepFilterGraph(video),
    '-ss',
    from.toFixed(3),
    '-t',
    (start - from + durationSeconds).toFixed(3),
  ];
  const picture = { scale: size, framesPerSecond, startSeconds: start - from, ...colors };
  const filters = [...normalizeFrameSize(video), ...videoFilters(video, picture)].join(',');
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
  throw new JobError('INPUT_UNSUPPORTED', message);
}
