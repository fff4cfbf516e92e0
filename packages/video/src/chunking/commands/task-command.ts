import { padToFrames } from '../../encoding/concat/concat-video.ts';
import { type Encoding, isLadderEncoding, withFiles } from '../../encoding/encoding.ts';
import { ladderArguments, renditionArguments } from '../../encoding/ladder/encode-ladder.ts';
import { keyframeArguments } from '../../encoding/ladder/ladder.ts';
import { fragmentArguments } from '../../encoding/ladder/packaging.ts';
import { dropOtherStreams, fullDynamicRange } from '../../encoding/options.ts';
import { hasStatefulFilters, videoArguments } from '../../encoding/video/encode-video.ts';
import { someDuration } from '../../encoding/video/frame-times.ts';
import type { TargetBitrate } from '../../media/codecs/encoder-arguments.ts';
import type { Argument, Command } from '../../media/ffmpeg/command.ts';
import { dropReservedMatrix } from '../../media/filters/color-space.ts';
import { type Filter, startWithHeldFrame, trimSeconds } from '../../media/filters/filter.ts';
import { keepFilterGraph } from '../../media/filters/video-filters.ts';
import { requireVideo } from '../../media/probe/streams.ts';
import { seekOptions, ticksToSeconds, timelineOriginOptions } from '../frame-index/frame-index.ts';
import type { AudioTask, ChunkTask, TaskFiles, TaskWork } from '../plan/chunk-tasks.ts';
import { workOfChunk } from '../plan/chunked-clips.ts';
import type { Chunk } from '../plan/cut-video.ts';
import { limitChunks, measuringEncoding } from '../plan/rate-target.ts';
import { audioCommand, audioOfChunk, clipsAudioOfChunk } from './audio-command.ts';

/** The command that encodes one chunk of the video in all sizes of one codec, or audio, or measures a chunk. */
export function taskCommand(work: TaskWork, task: ChunkTask, files: TaskFiles): Command {
  if (task.kind === 'audio') return audioCommand(work, task, files);
  if (task.kind === 'measurement') {
    return videoCommand({ ...work, encoding: measuringEncoding(work.encoding) }, task, files);
  }
  const encoding = limitChunks(task.encoding, work.chunks);
  return videoCommand({ ...workOfChunk(work, task.chunk), encoding }, task, files);
}

/** The command of one of two passes over a chunk, or of the only one, at a bit rate of its own. */
export function passCommand(
  work: TaskWork,
  chunk: Chunk,
  { quality, ...files }: TaskFiles & { quality: TargetBitrate },
): Command {
  if (isLadderEncoding(work.encoding)) throw new TypeError('A ladder has no target bit rate');
  const encoding = { ...work.encoding, quality, isChunk: true };
  return videoCommand({ ...work, encoding }, { chunk }, files, { writes: quality.twoPass?.pass !== 1 });
}

/**
 * Encodes a chunk with the arguments of a single pass, and its audio only if S3 assembles the outputs: then in their
 * container. Otherwise in MP4, which keeps timestamps in ticks of the source; Matroska rounds them to milliseconds.
 */
function videoCommand(
  work: TaskWork,
  { chunk, audio }: { chunk: Chunk; audio?: AudioTask | undefined },
  files: TaskFiles,
  { writes = true }: { writes?: boolean } = {},
): Command {
  const { source, timelineOrigin } = work;
  const { isRemote, outputPath, threads } = files;
  const encoding = withFiles(work.encoding, files);
  const video = requireVideo(source);
  const overlay = encoding.overlay;
  const { startSeconds, clipSeconds: sourceSeconds = startSeconds } = chunk;
  const container = work.isAssembled ? work.format : 'mp4';
  const ofClips = audio && work.clips ? audioOfClips({ ...work, encoding }, { chunk, audio }, files) : undefined;
  // The first fragment of a stream states when its video starts.
  const firstSeconds = work.hasFinalFragments ? ticksToSeconds(work.frameTimes.firstPts, work.frameTimes.timeBase) : 0;
  const muxing = (file: number) => [
    ...(threads === undefined ? [] : ['-threads', String(threads)]),
    ...(ofClips?.outputArguments ?? (audio ? audioOfChunk({ ...work, encoding }, audio, file) : ['-an'])),
    ...dropOtherStreams,
    ...(chunk.holdsFirstFrame ? someDuration : []),
    // A setpts filter would lose the duration of the last frame.
    ...['-output_ts_offset', (firstSeconds - sourceSeconds).toFixed(6)],
    ...(work.hasFinalFragments ? fragmentArguments({ kind: 'video' }) : ['-f', writes ? container : 'null']),
  ];
  const { graph, renditions } = renditionsOf(work, encoding, chunk);
  return {
    inputs: [
      {
        path: files.sources[chunk.clip ?? 0] ?? '',
        options: [
          ...dropReservedMatrix(video),
          ...(audio ? fullDynamicRange(source) : []),
          ...(hasStatefulFilters(video, encoding) ? keepFilterGraph(video) : []),
          ...seekOptions({ seekSeconds: firstRead(chunk, ofClips ? undefined : audio) }, timelineOrigin),
          ...timelineOriginOptions(timelineOrigin),
        ],
        isRemote,
      },
      ...(overlay ? [{ path: overlay.path, isRemote }] : []),
      ...(ofClips?.inputs ?? []),
    ],
    outputArguments: [
      ...graph,
      ...renditions.flatMap((rendition, file) => [...rendition, ...muxing(file), writes ? outputPath(file) : '-']),
    ],
    durationSeconds: chunk.durationSeconds,
  };
}

/** The audio of a chunk may be that of the clips before and after it too. */
function audioOfClips(
  { clips = [], ...work }: TaskWork,
  { chunk: { startSeconds, clipSeconds = startSeconds }, audio }: { chunk: Chunk; audio: AudioTask },
  files: TaskFiles,
) {
  const moveSeconds = startSeconds - clipSeconds;
  return clipsAudioOfChunk({ ...work, clips }, audio, { ...files, firstInput: 1, moveSeconds });
}

/** Unset: the start of the source. */
function firstRead({ seekSeconds }: Chunk, audio: AudioTask | undefined): number | undefined {
  if (audio?.chunk === undefined || seekSeconds === undefined) return seekSeconds;
  const { seekSeconds: audioSeconds } = audio.chunk;
  return audioSeconds === undefined ? undefined : Math.min(seekSeconds, audioSeconds);
}

function renditionsOf(
  { source, format, chunks }: TaskWork,
  encoding: Encoding,
  chunk: Chunk,
): { graph: Argument[]; renditions: Argument[][] } {
  const video = requireVideo(source);
  const selectFilters = trimFilters(chunk);
  const gridStartSeconds = chunks[0]?.startSeconds;
  if (!isLadderEncoding(encoding)) {
    return { graph: [], renditions: [videoArguments(video, { ...encoding, format, selectFilters, gridStartSeconds })] };
  }
  return {
    graph: ladderArguments(video, { ...encoding, selectFilters }),
    renditions: encoding.sizes.map((_, size) => [
      ...renditionArguments(video, { ...encoding, size, format, gridStartSeconds }),
      ...forcedKeyframeArguments(chunk),
    ]),
  };
}

/** Keyframes at segment starts inside the chunk; its first frame is always one. */
function forcedKeyframeArguments({ keyframeSeconds }: Chunk): string[] {
  if (keyframeSeconds === undefined) return [];
  return keyframeArguments(keyframeSeconds.map((seconds) => seconds.toFixed(6)).join(','));
}

function trimFilters(chunk: Chunk): Filter[] {
  const { startSeconds, trimStartSeconds, trimEndSeconds } = chunk;
  const { holdsFirstFrame = false, endsClip = false, frames } = chunk;
  return [
    ...(holdsFirstFrame ? [startWithHeldFrame(startSeconds)] : []),
    ...trimSeconds({ start: trimStartSeconds?.toFixed(6), end: trimEndSeconds?.toFixed(6) }),
    ...(endsClip ? padToFrames(frames) : []),
  ];
}

/** So much of each end is decoded, from the keyframe before it. */
const checkedSeconds = 1;

/** Decodes the first and the last second of an encoded file. Fails if a packet of its video or audio is damaged. */
export function checkCommand(path: string): Command {
  const ends = [
    ['-t', `${checkedSeconds}`],
    ['-sseof', `-${checkedSeconds}`],
  ];
  return {
    inputs: ends.map((end) => ({ path, options: ['-err_detect', 'explode', ...end], isTrusted: true })),
    outputArguments: [...ends.flatMap((_, input) => ['-map', `${input}`]), '-xerror', '-f', 'null', '-'],
    durationSeconds: checkedSeconds,
  };
}
