import { oneGraph, oneSize } from '../media/changing-size.ts';
import { containerArguments, type VideoFormat } from '../media/formats.ts';
import { type ExactRate, toldRate } from '../media/frame-rate.ts';
import type { VideoStream } from '../media/probe.ts';
import { seekPoint } from '../media/seek.ts';
import { requireWritable } from '../media/size.ts';
import { endOf, requireMovingPicture } from '../media/streams.ts';
import { probedCodecs, videoCodecArguments } from '../media/video-codecs.ts';
import {
  chainArguments,
  finalSize,
  type Kept,
  type PictureChange,
  videoFilters,
} from '../media/video-filters.ts';
import { heldFrameArguments, lastFrameArguments } from './last-frame.ts';
import { onlyThese, singleOutput } from './outputs.ts';
import { overlayGraph } from './overlay.ts';
import type { Plan, PlanInput } from './recipe.ts';
import { keptSound, soundArguments, soundExpectation } from './sound.ts';
import type { VideoEncoding } from './video-encoding.ts';

/** A plan of one command that encodes the input's picture, and its sound where it has any, into one file. */
export function encodeVideo(input: PlanInput<unknown>, encoding: VideoEncoding): Plan {
  const video = requireMovingPicture(input.probe);
  const audio = keptSound(input.probe, encoding);
  const format = input.format as VideoFormat;
  const { range, overlay, soundFrom } = encoding;
  const lengthSeconds = range ? range.end - range.start : endOf(input.probe, [video, audio]);
  const durationSeconds =
    lengthSeconds === undefined ? undefined : lengthSeconds / (encoding.picture.tempo ?? 1);
  const { output, path } = singleOutput(input, {
    durationSeconds,
    video: { codec: probedCodecs[encoding.codec], ...requireWritable(finalSize(encoding.picture)) },
    ...soundExpectation(audio, format),
  });
  const cut = range ? cutArguments(input, range) : { options: [], kept: [] };
  const outputArguments = [
    ...pictureArguments(video, { ...encoding, format }),
    ...heldFrameArguments(video, { codec: encoding.codec, endSeconds: durationSeconds }),
    ...soundArguments(audio, { ...encoding, format }),
    ...cut.kept,
    ...onlyThese,
    ...containerArguments(format),
    path,
  ];
  const inputs = [
    { path: input.inputPath, options: [...(carriesOn(encoding) ? oneGraph(video) : []), ...cut.options] },
    ...(soundFrom ? [soundFrom] : []),
    ...(overlay ? [{ path: overlay.path }] : []),
  ];
  return { commands: [{ inputs, outputArguments, durationSeconds }], outputs: [output], encoding };
}

/** `from` is where reading begins, in seconds; the rest are arguments before the input and of the output. */
type Cut = { from: number; options: string[]; kept: string[] };

/** A quick seek in front of the input, and behind it the exact cut, which goes by the times of frames. */
export function cutArguments(
  { probe }: Pick<PlanInput<unknown>, 'probe'>,
  { start, end }: { start: number; end: number },
): Cut {
  // A seek goes to a keyframe of the picture: before the first of them the sound would be lost.
  const from = start <= requireMovingPicture(probe).startSeconds ? 0 : seekPoint(probe, start);
  const options = from > 0 ? ['-ss', from.toFixed(3)] : [];
  const rest = start > from ? ['-ss', (start - from).toFixed(3)] : [];
  return { from, options, kept: [...rest, '-t', (end - start).toFixed(3)] };
}

/** Arguments that map, filter and encode the picture. */
export function pictureArguments(
  video: VideoStream,
  encoding: VideoEncoding & Kept & { format: VideoFormat },
): string[] {
  const { picture, codec, overlay, laterFilters = [], kept = [] } = encoding;
  const chain = videoFilters(video, { ...picture, kept });
  const filters = [...(carriesOn(encoding) ? oneSize(video) : []), ...chain, ...laterFilters].join(',');
  return [
    ...(overlay
      ? ['-filter_complex', overlayGraph(`[0:${video.index}]${filters}`, overlay), '-map', '[out]']
      : chainArguments(video, filters)),
    ...videoCodecArguments(codec, { ...encoding, ...ratesOf(video, picture) }),
    ...frameTimeArguments(picture),
    ...lastFrameArguments(video),
  ];
}

/** Whether its filters carry something on from picture to picture, also where the size changes. */
function carriesOn({ overlay, picture }: VideoEncoding): boolean {
  return overlay !== undefined || picture.framesPerSecond !== undefined;
}

/** What an encoder is told where frames keep their own times. */
export function ratesOf(
  video: VideoStream,
  { framesPerSecond }: Pick<PictureChange, 'framesPerSecond'>,
): { rate?: ExactRate | undefined } {
  return framesPerSecond === undefined ? { rate: toldRate(video) } : {};
}

/** Frames keep their own times: rounded to a guessed rate, the quick parts of a variable one would lose frames. */
export function frameTimeArguments({ framesPerSecond }: Pick<PictureChange, 'framesPerSecond'>): string[] {
  return ['-fps_mode:v', 'vfr', ...(framesPerSecond ? [] : ['-enc_time_base:v', 'demux'])];
}
