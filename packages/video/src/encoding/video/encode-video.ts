import {
  dropProjection,
  dropsProjection,
  encodedPixelFormat,
  projectionArguments,
  videoCodecArguments,
} from '../../media/codecs/encoder-arguments.ts';
import { probedCodecs, type VideoCodec } from '../../media/codecs/video-codecs.ts';
import type { Argument } from '../../media/ffmpeg/command.ts';
import { rangeSeek, seekArguments } from '../../media/ffmpeg/seek.ts';
import { hasAlpha } from '../../media/filters/alpha.ts';
import { type Filter, formatFilter, mayHoldFrame } from '../../media/filters/filter.ts';
import {
  type FrameSelection,
  keepFilterGraph,
  mapThroughFilters,
  normalizeFrameSize,
  transformedSize,
  videoFilters,
} from '../../media/filters/video-filters.ts';
import { containerArguments, type VideoFormat } from '../../media/formats.ts';
import {
  atConstantFrameRate,
  atOutputRate,
  constantFps,
  type ExactRate,
  exactRate,
  isFieldRate,
  type RateChange,
  signalledFps,
} from '../../media/frame-rate.ts';
import { requireEncodableSize } from '../../media/frame-size.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../media/probe/streams.ts';
import { audioArguments, audioExpectation, selectAudio } from '../audio/map-audio.ts';
import { readStreams } from '../audio/uniform-audio.ts';
import { fitMemory } from '../encoder-memory.ts';
import {
  type Encoding,
  type EncodingStage,
  type FrameGrid,
  isLadderEncoding,
  stagesOf,
  type VideoEncoding,
} from '../encoding.ts';
import { dropOtherStreams, outputFile } from '../options.ts';
import { drawSubtitles, overlayGraph } from '../overlay.ts';
import type { Plan, PlanInput } from '../plan.ts';
import { lastFrameArguments, lastFrameFilters, moveToGrid, statedRateFilters, withFrameGrid } from './frame-times.ts';
import { fuseEncodings } from './fuse-encodings.ts';

/** A plan of one command that encodes the video of the input, and its audio if there is any, into one file. */
export function encodeVideo(planned: PlanInput<unknown, VideoFormat>, wanted: VideoEncoding): Plan {
  const { source = planned.probe, earlier, isMuted } = planned.fusion ?? {};
  const own = isMuted ? { ...wanted, isMuted } : wanted;
  const input = { ...planned, probe: source };
  const video = requireVideo(source);
  const requested = earlier ? fuseEncodings(earlier, own, { source: video, next: requireVideo(planned.probe) }) : own;
  requireEncodableSize(transformedSize(requested.transform));
  const { format } = input;
  const fitted = fitMemory(requested, video, input.memory);
  const statesRate = format === 'mkv' || format === 'webm';
  const encoding = statesRate
    ? { ...fitted, transform: atConstantFrameRate(video, fitted.transform) }
    : withFrameGrid(fitted, input);
  const audio = selectAudio(input.probe, encoding);
  const { range, overlay, audioSource, finalFilters = [] } = encoding;
  const lengthSeconds = range ? range.end - range.start : endSecondsOf(input.probe, [video, ...audio]);
  const durationSeconds = lengthSeconds === undefined ? undefined : lengthSeconds / (encoding.transform.tempo ?? 1);
  const { output, path } = outputFile(input, {
    durationSeconds,
    video: { codec: probedCodecs[encoding.codec], ...transformedSize(encoding.transform) },
    ...audioExpectation(audio, { ...encoding, format }),
  });
  // It only writes statistics.
  const isFirstPass = 'twoPass' in encoding.quality && encoding.quality.twoPass?.pass === 1;
  const aheadSeconds = subtitlesAhead(source, encoding);
  const seek = seekArguments(source, range, { ...encoding.transform, aheadSeconds });
  const outputArguments = [
    ...videoArguments(video, {
      ...encoding,
      format,
      selectFilters: seek.filters,
      finalFilters: [...finalFilters, ...lastFrameFilters(video, encoding)],
    }),
    ...lastFrameArguments(input, video, encoding),
    ...(isFirstPass
      ? [...seek.outputOptions, '-an', ...dropOtherStreams, '-f', 'null', '-']
      : [
          ...audioArguments(audio, { ...encoding, format }),
          ...seek.outputOptions,
          ...dropOtherStreams,
          ...containerArguments(format),
          path,
          ...(audioSource ? readStreams(input.probe, audio) : []),
        ]),
  ];
  const inputs = [
    {
      path: input.inputPath,
      options: [...(hasStatefulFilters(video, encoding) ? keepFilterGraph(video) : []), ...seek.inputOptions],
    },
    ...(audioSource ? [audioSource] : []),
    ...(overlay ? [{ path: overlay.path }] : []),
  ];
  return { commands: [{ inputs, outputArguments, durationSeconds }], outputs: [output], encoding };
}

/** Where the first frame of the whole video is on the timeline of the source, if that is not the first packet. */
export type GridStart = { gridStartSeconds?: number | undefined };

export function videoArguments(
  video: VideoStream,
  encoding: VideoEncoding & FrameSelection & GridStart & { format: VideoFormat },
): Argument[] {
  const { transform, codec, overlay, finalFilters = [], selectFilters = [] } = encoding;
  const keepsAlpha = transform.background === 'keep' && hasAlpha(video);
  const pixelFormat = encodedPixelFormat(codec, { ...encoding, keepsAlpha });
  const stages = stagesOf(video, encoding);
  const { filters: own, after } = stageFilters(stages, encoding, { pixelFormat, selectFilters });
  const framing = stages.find((stage) => dropsProjection(video, stage.transform))?.transform;
  const last = [...finalFilters, ...(framing ? [dropProjection] : [])];
  const filters = [
    ...(hasStatefulFilters(video, encoding) ? normalizeFrameSize(video) : []),
    ...own,
    ...(after.length === 0 ? last : []),
  ];
  const overlaid = { index: video.index, filters, after: after.length === 0 ? [] : [...after, ...last] };
  return [
    ...(overlay
      ? ['-filter_complex', overlayGraph(overlaid, overlay), '-map', '[out]']
      : mapThroughFilters(video, filters, framing ? { dropsMetadata: true } : {})),
    ...videoCodecArguments(codec, {
      ...encoding,
      size: transformedSize(transform),
      keepsAlpha,
      ...encoderFps(video, transform),
      ...(startsWithHeldFrame(video, encoding) && fpsBehindHeldFrame(video, transform)),
    }),
    ...timestampArguments(video, transform),
    ...(startsWithHeldFrame(video, encoding) ? [] : packetFilters(codec, video, { ...encoding, change: transform })),
    ...projectionArguments(video, framing ?? transform),
  ];
}

/** Of frames that an encoder would have written between two steps. */
const formatBetween = 'yuv420p';

/** The filters of all stages of an encoding, those ahead of its overlay and those behind. */
function stageFilters(
  stages: readonly EncodingStage[],
  encoding: VideoEncoding,
  { pixelFormat, selectFilters }: FrameSelection & { pixelFormat: string },
): { filters: Filter[]; after: Filter[] } {
  const changesRate = ({ transform }: EncodingStage) => (transform.framesPerSecond ?? transform.tempo) !== undefined;
  // The rate may be that of the source as a whole, not of a step.
  const rateStage = Math.max(0, stages.findIndex(changesRate));
  const { framesPerSecond } = encoding.transform;
  const lists = stages.map((stage, index) => {
    const isLast = index === stages.length - 1;
    const ofWhole = index === rateStage ? { ...(framesPerSecond && { framesPerSecond }), selectFilters } : {};
    return [
      ...videoFilters(stage.video, {
        ...stage.transform,
        ...ofWhole,
        pixelFormat: isLast ? pixelFormat : formatBetween,
      }),
      ...(stage.drawsSubtitles && encoding.subtitles
        ? [drawSubtitles(encoding.subtitles, transformedSize(stage.transform))]
        : []),
      ...(encoding.stages ? (stage.finalFilters ?? []) : []),
      ...(isLast ? [] : [formatFilter(formatBetween)]),
    ];
  });
  const overlaid = stages.findIndex((stage) => stage.drawsOverlay);
  const ahead = overlaid === -1 ? lists.length : overlaid + 1;
  return { filters: lists.slice(0, ahead).flat(), after: lists.slice(ahead).flat() };
}

/** By how many seconds the times that burned subtitles count are ahead of those behind the seek of a range. */
function subtitlesAhead(probe: Probe, { range, stages = [] }: VideoEncoding): number {
  const drawn = stages.find((stage) => stage.drawsSubtitles);
  return range === undefined || drawn === undefined ? 0 : rangeSeek(probe, range).seekSeconds - drawn.originSeconds;
}

/** These filters keep state between frames, which must survive a change of the frame size. */
export function hasStatefulFilters(video: VideoStream, encoding: Encoding): boolean {
  if (isLadderEncoding(encoding)) return false;
  const { overlay, transform } = encoding;
  return overlay !== undefined || transform.framesPerSecond !== undefined || startsWithHeldFrame(video, encoding);
}

/** Whether a filter moves the first frame, or in chunks that of the first chunk. */
function startsWithHeldFrame(video: VideoStream, { range, transform }: VideoEncoding): boolean {
  return range !== undefined && mayHoldFrame(video) && transform.framesPerSecond === undefined;
}

/** Behind that filter ffmpeg knows no rate. The encoder would take the time base for it, and state the highest level. */
function fpsBehindHeldFrame(video: VideoStream, change: RateChange): { signalledFps?: ExactRate } {
  const rated = atOutputRate(video, change);
  const { baseFramesPerSecond = constantFps(rated) } = rated;
  return { signalledFps: signalledFps(rated) ?? exactRate(baseFramesPerSecond).exact };
}

/** The frame rate to signal to the encoder if frames keep their timestamps. */
export function encoderFps(video: VideoStream, change: RateChange): { signalledFps?: ExactRate | undefined } {
  return change.framesPerSecond === undefined ? { signalledFps: signalledFps(atOutputRate(video, change)) } : {};
}

/**
 * Keeps the timestamps of frames. Rounding a variable frame rate to a guessed constant one would drop frames. The
 * second field of a frame may lie between two ticks of the source, so the time base is that of the deinterlacer.
 */
export function timestampArguments(video: VideoStream, change: RateChange): string[] {
  if (change.framesPerSecond) return ['-fps_mode:v', 'vfr'];
  return ['-fps_mode:v', 'vfr', '-enc_time_base:v', isFieldRate(video, change) ? 'filter' : 'demux'];
}

/** Arguments that set the rate that packets state and, by the grid of an encoding, their times. */
export function packetFilters(
  codec: VideoCodec,
  video: VideoStream,
  { change, frameGrid, gridStartSeconds }: GridStart & { change: RateChange; frameGrid?: FrameGrid },
): string[] {
  const filters = [
    ...statedRateFilters(codec, video, change),
    ...(frameGrid ? [moveToGrid(frameGrid, gridStartSeconds)] : []),
  ];
  return filters.length === 0 ? [] : ['-bsf:v', filters.join(',')];
}
