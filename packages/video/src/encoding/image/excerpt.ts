import * as z from 'zod';
import { rejectInput } from '../../errors.ts';
import type { CommandInput } from '../../media/ffmpeg/command.ts';
import { rangeSeek, seekVideo } from '../../media/ffmpeg/seek.ts';
import { type Filter, trimSeconds } from '../../media/filters/filter.ts';
import {
  type FrameTransform,
  keepFilterGraph,
  normalizeFrameSize,
  videoFilters,
} from '../../media/filters/video-filters.ts';
import { roundedSize, type Size, shrinkInto } from '../../media/frame-size.ts';
import type { VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../media/probe/streams.ts';
import { integer, number } from '../../values.ts';
import type { PlanInput } from '../plan.ts';

const minSeconds = 0.1;
const maxSeconds = 60;

/** Parameters of a recipe that makes an animated image from an excerpt of a video. */
export const excerptParameters = () =>
  z.strictObject({
    start: z.number().min(0).default(0).meta({ description: 'Start of the excerpt in seconds.' }),
    seconds: number(minSeconds, maxSeconds)
      .optional()
      .meta({
        description: `Length of the excerpt in seconds, at most ${maxSeconds}. Default: the rest of the video.`,
      }),
    fps: integer(1, 50).default(12).meta({ description: 'Frames per second.' }),
    width: integer(16, 1280)
      .default(480)
      .meta({ description: 'Maximum width in pixels. The video is never enlarged.' }),
    loop: z.boolean().default(true).meta({ description: 'Whether the animation repeats.' }),
  });

export type Excerpt = {
  video: VideoStream;
  size: Size;
  durationSeconds: number;
  source: CommandInput;
  /** Filter chain: exact start, size and frame rate. */
  filters: Filter[];
};

/** Reads the excerpt. @throws JobError `INPUT_UNSUPPORTED` if it starts after the end of the video, or is too long */
export function excerptInput(
  input: PlanInput<z.output<ReturnType<typeof excerptParameters>>>,
  colors: Pick<FrameTransform, 'colorMatrix' | 'background'> = { colorMatrix: 'rgb', background: 'keep' },
): Excerpt {
  const { probe, inputPath, parameters } = input;
  const { start, fps: framesPerSecond, width } = parameters;
  const video = requireVideo(probe);
  const durationSeconds = excerptSeconds(parameters, endSecondsOf(probe, [video]) ?? 0);
  const size = roundedSize(shrinkInto(video, { width }));
  const { startsWithHeldFrame, seekSeconds, skipSeconds } = rangeSeek(probe, { start, end: start + durationSeconds });
  const seek = seekVideo(probe, video, seekSeconds);
  const options = [
    ...keepFilterGraph(video),
    // Such an input starts before the seek position, so a duration option would end it early.
    ...(startsWithHeldFrame
      ? ['-noaccurate_seek', ...seek]
      : [...seek, '-t', (skipSeconds + durationSeconds).toFixed(3)]),
  ];
  const transform = {
    scale: size,
    framesPerSecond,
    startSeconds: skipSeconds,
    selectFilters: startsWithHeldFrame ? trimSeconds({ end: durationSeconds.toFixed(3) }) : [],
    ...colors,
  };
  const filters = [...normalizeFrameSize(video), ...videoFilters(video, transform)];
  return { video, size, durationSeconds, source: { path: inputPath, options }, filters };
}

function excerptSeconds({ start, seconds }: { start: number; seconds?: number | undefined }, end: number): number {
  const rest = end - start;
  if (rest < minSeconds) {
    const hint = `An animation needs ${minSeconds} s: start earlier, or use thumbnail for one frame`;
    rejectInput(`The excerpt starts at ${start} s, but the video lasts ${end.toFixed(3)} s. ${hint}`);
  }
  const length = Math.min(seconds ?? rest, rest);
  if (length > maxSeconds) {
    rejectInput(`The rest of the video lasts ${length.toFixed(1)} s; the limit is ${maxSeconds} s. Set seconds`);
  }
  return length;
}
