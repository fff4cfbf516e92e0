import { encodedPixelFormat, videoCodecArguments } from '../../media/codecs/encoder-arguments.ts';
import { probedCodecs, type VideoCodec } from '../../media/codecs/video-codecs.ts';
import type { Argument } from '../../media/ffmpeg/command.ts';
import { hasAlpha } from '../../media/filters/alpha.ts';
import { atConstantFrameRate, atOutputRate, isFieldRate, type RateChange } from '../../media/filters/deinterlace.ts';
import { mayHoldFrame } from '../../media/filters/filter.ts';
import { dropProjection, dropsProjection, projectionArguments } from '../../media/filters/projection.ts';
import {
  type FrameSelection,
  keepFilterGraph,
  mapThroughFilters,
  normalizeFrameSize,
  transformedSize,
} from '../../media/filters/video-filters.ts';
import { containerArguments, type VideoFormat } from '../../media/formats.ts';
import { constantFps, type ExactRate, exactRate, signalledFps } from '../../media/frame-rate.ts';
import { requireEncodableSize } from '../../media/frame-size.ts';
import type { VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../media/probe/streams.ts';
import { audioArguments, audioExpectation, selectAudio } from '../audio/encode-audio.ts';
import { readStreams } from '../audio/uniform-audio.ts';
import { fitMemory } from '../encoder-memory.ts';
import { type Encoding, isLadderEncoding, type VideoEncoding } from '../encoding.ts';
import { dropOtherStreams, singleOutput } from '../outputs.ts';
import { overlayGraph } from '../overlay.ts';
import type { Plan, PlanInput } from '../plan.ts';
import { type FrameGrid, moveToGrid, statedRateFilters } from './frame-grid.ts';
import { fuseEncodings, stageFilters, stagesOf, subtitlesAhead } from './fuse-encodings.ts';
import { lastFrameArguments, lastFrameFilters, withFrameGrid } from './last-frame.ts';
import { seekArguments } from './time-range.ts';

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
  const { output, path } = singleOutput(input, {
    durationSeconds,
    video: { codec: probedCodecs[encoding.codec], ...transformedSize(encoding.transform) },
    ...audioExpectation(audio, { ...encoding, format }),
  });
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
    ...(isFirstPass(encoding)
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

/** The first of two passes only writes statistics. */
function isFirstPass({ quality }: VideoEncoding): boolean {
  return 'twoPass' in quality && quality.twoPass?.pass === 1;
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
  const { filters: own, after } = stageFilters(video, encoding, { pixelFormat, selectFilters });
  const framing = stagesOf(video, encoding).find((stage) => dropsProjection(video, stage.transform))?.transform;
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
