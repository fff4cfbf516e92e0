import * as z from 'zod';
import { JobError } from '../errors.ts';
import type { Command } from '../media/command.ts';
import { containerArguments } from '../media/formats.ts';
import { seekPoint } from '../media/seek.ts';
import { roundedSize, shrinkInto } from '../media/size.ts';
import { endOf, requireMovingPicture } from '../media/streams.ts';
import { videoFilters } from '../media/video-filters.ts';
import { onlyThese, singleOutput } from './outputs.ts';
import { defineRecipe } from './recipe.ts';

const longestSeconds = 60;

export const gif = defineRecipe({
  name: 'gif',
  title: 'GIF',
  description:
    'An animated GIF of a part of a video, without sound, with a palette made for it. An animated-webp is far smaller.',
  formats: ['gif'],
  parameters: z.strictObject({
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
  }),
  example: { output: { format: 'gif' }, recipe: { name: 'gif', start: 1, seconds: 3, width: 320 } },
  plan(input) {
    const { start, seconds, fps, width, loop } = input.parameters;
    const { probe, inputPath, outputDirectory } = input;
    const video = requireMovingPicture(probe);
    const durationSeconds = lengthOf({ start, seconds }, endOf(probe, [video]) ?? 0);
    const scale = roundedSize(shrinkInto(video, { width }));
    const { output, path } = singleOutput(input, { durationSeconds, video: { codec: 'gif', ...scale } });
    const from = seekPoint(probe, start);
    const source = {
      path: inputPath,
      options: ['-ss', from.toFixed(3), '-t', (start - from + durationSeconds).toFixed(3)],
    };
    const before = start > from ? [`trim=start=${(start - from).toFixed(3)}`, 'setpts=PTS-STARTPTS'] : [];
    const filters = [...before, ...videoFilters(video, { scale, framesPerSecond: fps })].join(',');
    const palette = `${outputDirectory}/palette.png`;
    // The palette in a run of its own: in one graph every frame would wait in memory until it is known.
    const choose: Command = {
      inputs: [source],
      outputArguments: [
        ...['-map', `0:${video.index}`, '-vf', `${filters},palettegen=stats_mode=diff`],
        ...['-frames:v', '1', '-update', '1', '-f', 'image2', palette],
      ],
    };
    const graph = `[0:${video.index}]${filters}[frames];[frames][1]paletteuse=dither=bayer:bayer_scale=3:diff_mode=rectangle[out]`;
    const draw: Command = {
      inputs: [source, { path: palette, isOurs: true }],
      outputArguments: [
        ...['-filter_complex', graph, '-map', '[out]', '-loop', loop ? '0' : '-1'],
        ...[...onlyThese, ...containerArguments('gif'), path],
      ],
      durationSeconds,
    };
    return { commands: [choose, draw], outputs: [output] };
  },
});

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
