import * as z from 'zod';
import { extractFrame, frameWidthParameter } from '../../../encoding/image/extract-frame.ts';
import {
  accuracyParameter,
  exactFrameFilters,
  keyframeFilters,
  keyframesOnly,
  timesWithoutKeyframe,
} from '../../../encoding/image/tile-frames.ts';
import { dropOtherStreams } from '../../../encoding/options.ts';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { rejectInput } from '../../../errors.ts';
import { imageEncoders } from '../../../media/codecs/video-codecs.ts';
import type { Command } from '../../../media/ffmpeg/command.ts';
import { seekVideo } from '../../../media/ffmpeg/seek.ts';
import { keepFilterGraph, mapThroughFilters } from '../../../media/filters/video-filters.ts';
import { containerArguments } from '../../../media/formats.ts';
import { fitInside, roundedSize } from '../../../media/frame-size.ts';
import type { VideoStream } from '../../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../../media/probe/streams.ts';
import { number } from '../../../values.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

/** Each image is a signed URL in every response about the job. */
const maxImages = 100;

export const thumbnails = defineRecipe({
  name: 'thumbnails',
  title: 'Thumbnails',
  description: `Frames of a video as images, at a fixed interval from 0 s on; at most ${maxImages}. The outputs are named thumbnail-001 and so on.`,
  formats: ['jpg', 'png', 'webp'],
  comparison: 'none',
  severalOutputs: true,
  parameters: () =>
    z.strictObject({
      every: number(0.1, 3600).default(10).meta({ description: 'Seconds between two frames.' }),
      width: frameWidthParameter(),
      accuracy: accuracyParameter(),
    }),
  example: { output: { format: 'jpg' }, recipe: { name: 'thumbnails', every: 5, width: 320 } },
});

export function planThumbnails(input: RecipeInput<typeof thumbnails>): Plan | PendingPlan {
  const { every, width, accuracy } = input.parameters;
  const video = requireVideo(input.probe);
  const endSeconds = endSecondsOf(input.probe, [video]) ?? 0;
  const count = Math.max(1, Math.ceil(endSeconds / every));
  if (count > maxImages) {
    const minEvery = Math.ceil(endSeconds / maxImages);
    rejectInput(`A frame every ${every} s makes ${count} images; the limit is ${maxImages}. Use ${minEvery} s or more`);
  }
  // One seek per frame: decoding the whole video for a hundred frames takes far longer.
  const frames = Array.from({ length: count }, (_, index) =>
    extractFrame(input, { name: `thumbnail-${String(index + 1).padStart(3, '0')}`, at: index * every, width }),
  );
  const outputs = frames.map(({ output }) => output);
  const exact: Plan = { commands: frames.map(({ command }) => command), outputs };
  // A keyframe without its neighbours cannot be deinterlaced at full height.
  if (accuracy === 'frame' || video.isInterlaced) return exact;
  const command = (select: typeof keyframeFilters, skip: readonly string[] = []) =>
    framesCommand(input, { video, count, endSeconds }, { select, skip });
  return {
    measure: [command(keyframeFilters, keyframesOnly)],
    progressAfter: 0.5,
    outputs,
    // The measurement has written the images. Exact frames replace those that are not of a keyframe nearby.
    decide(log, results) {
      const missing = timesWithoutKeyframe(log, count);
      const video = results.at(-1)?.decoding?.streams.find(({ kind }) => kind === 'video');
      const seekSeconds = startSeconds + endSeconds / Math.max(1, video?.frames ?? 1) / 2;
      const commands =
        missing.length * seekSeconds > endSeconds
          ? [command(exactFrameFilters)]
          : missing.flatMap((number) => frames[number]?.command ?? []);
      return { commands, outputs };
    },
    expected: () => ({ commands: [], outputs }),
  };
}

/** Decoding so much of a video takes about as long as the start of ffmpeg. */
const startSeconds = 0.5;

type Frames = { video: VideoStream; count: number; endSeconds: number };

function framesCommand(
  { probe, inputPath, outputDirectory, format, parameters }: RecipeInput<typeof thumbnails>,
  { video, count, endSeconds }: Frames,
  { select, skip }: { select: typeof keyframeFilters; skip: readonly string[] },
): Command {
  const { every: intervalSeconds, width = video.width } = parameters;
  const size = roundedSize(fitInside(video, { width }));
  const filters = select(video, { size, intervalSeconds, count, format });
  const options = [...skip, ...keepFilterGraph(video), ...seekVideo(probe, video, 0)];
  return {
    inputs: [{ path: inputPath, options }],
    outputArguments: [
      ...mapThroughFilters(video, filters),
      ...['-frames:v', String(count), '-fps_mode:v', 'passthrough', '-an', ...imageEncoders[format].arguments],
      ...[...dropOtherStreams, ...containerArguments(format), `${outputDirectory}/thumbnail-%03d.${format}`],
    ],
    durationSeconds: endSeconds,
  };
}
