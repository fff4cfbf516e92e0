import {
  type ImageFormat,
  imageCodecArguments,
  imageColorMatrix,
  probedImageCodec,
} from '../../media/codecs/image-codecs.ts';
import type { Command } from '../../media/ffmpeg/command.ts';
import { seekPoint } from '../../media/ffmpeg/seek.ts';
import { keepFilterGraph, normalizeFrameSize, videoFilters } from '../../media/filters/video-filters.ts';
import { containerArguments } from '../../media/formats.ts';
import { fitInside, requireEncodableSize, roundedSize } from '../../media/frame-size.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf, requireVideoStream } from '../../media/probe/streams.ts';
import { dropOtherStreams, namedOutput } from '../outputs.ts';
import type { PlanInput, PlannedOutput } from '../plan.ts';

// A frame belongs to a moment that is up to half of such a frame before it.
const leastRate = 25;
// Candidates among which `best` chooses, and the seconds that they are spread over.
const candidates = 24;
const longestSearchSeconds = 20;

export type FrameRequest = {
  name: string;
  /** Seconds from the start, or the most representative frame of the beginning. */
  at: number | 'best';
  /** Width in pixels; the source's where left out. */
  width?: number;
};

/** One command that writes one frame of the input as an image. */
export function extractFrame(
  input: PlanInput<unknown>,
  { name, at, width }: FrameRequest,
): { command: Command; output: PlannedOutput } {
  const video = requireVideoStream(input.probe);
  const format = input.format as ImageFormat;
  const scale = requireEncodableSize(roundedSize(fitInside(video, { width: width ?? video.width })));
  const { output, path } = namedOutput(name, input, { video: { codec: probedImageCodec(format), ...scale } });
  const { options, before = [], after = [] } = frameChoice(input.probe, video, at);
  const shown = videoFilters(video, { scale, ...imageColorMatrix(format) });
  const outputArguments = [
    ...['-map', `0:${video.index}`],
    ...['-vf', [...normalizeFrameSize(video), ...before, ...shown, ...after].join(',')],
    ...['-frames:v', '1', '-update', '1', '-an', ...imageCodecArguments(format)],
    ...dropOtherStreams,
    ...containerArguments(format),
    path,
  ];
  return { command: { inputs: [{ path: input.inputPath, options }], outputArguments }, output };
}

/** Options that seek, and filters that choose among the frames before or after these are scaled. */
type Choice = { options: string[]; before?: string[]; after?: string[] };

function frameChoice(probe: Probe, video: VideoStream, at: FrameRequest['at']): Choice {
  const endSeconds = endSecondsOf(probe, [video]);
  if (endSeconds === undefined) return { options: [] };
  const { options, ...filters } =
    at === 'best' ? representative(probe, endSeconds) : shownAt(probe, video, Math.min(at, endSeconds));
  return { options: [...keepFilterGraph(video), ...options], ...filters };
}

/** Past the opening tenth, which is often black, the frame that resembles the others most. */
function representative(probe: Probe, endSeconds: number): Choice {
  const start = endSeconds * 0.1;
  const span = Math.min(longestSearchSeconds, endSeconds * 0.8);
  const from = seekPoint(probe, start);
  return {
    // With what is seen as the search begins: it may be all that there is.
    options: ['-noaccurate_seek', '-ss', from.toFixed(3), '-t', (start - from + span).toFixed(3)],
    before: [`fps=${(candidates / span).toFixed(3)}:start_time=${(start - from).toFixed(3)}`],
    // After: it holds all candidates in memory.
    after: [`thumbnail=n=${candidates}`],
  };
}

/**
 * The frame that is seen at a time, however long ago it came: the frames since the keyframe before it are read too,
 * and the last one holds to the end.
 */
function shownAt(probe: Probe, { framesPerSecond = 0 }: VideoStream, time: number): Choice {
  const from = seekPoint(probe, time);
  const rate = Math.max(leastRate, framesPerSecond).toFixed(3);
  return {
    options: ['-noaccurate_seek', '-ss', from.toFixed(3)],
    before: ['tpad=stop=-1:stop_mode=clone', `fps=${rate}:start_time=${(time - from).toFixed(3)}`],
  };
}
