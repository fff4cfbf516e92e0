import { selectAudio } from '../../encoding/audio/map-audio.ts';
import { joinedTrack } from '../../encoding/concat/concat-audio.ts';
import { clipFps, requireClipFrames, totalFrames } from '../../encoding/concat/concat-video.ts';
import { constantRateOf, type Encoding, type FrameGrid, type VideoEncoding } from '../../encoding/encoding.ts';
import type { ClipEncoding } from '../../encoding/plan.ts';
import { gridTicks, statedEndSeconds } from '../../encoding/video/frame-times.ts';
import type { AudioStream, Probe } from '../../media/probe/probe.ts';
import { type FrameIndex, type FrameTimes, type TimelineOrigin, ticksToSeconds } from '../frame-index/frame-index.ts';
import { cutIndex, keptFrames, outputFrameIndex } from '../frame-index/output-frame-index.ts';
import { type Chunk, type CutOptions, cutVideo } from './cut-video.ts';
import type { ChunkingSource } from './single-pass-rules.ts';

/** One of several inputs that follow one another in the output. */
export type ChunkedClip = {
  source: Probe;
  encoding: VideoEncoding;
  timelineOrigin: TimelineOrigin;
  /** Number of its frames in the output. */
  frames: number;
};

/** The source, encoding and timeline origin are those of the first clip, if there are several. */
type WithClips = {
  source: Probe;
  encoding: Encoding;
  timelineOrigin: TimelineOrigin;
  clips?: readonly ChunkedClip[] | undefined;
};

export function chunkedClips(
  clips: readonly ClipEncoding[] | undefined,
  cut: { clips: readonly Pick<ChunkedClip, 'timelineOrigin' | 'frames'>[] },
): ChunkedClip[] | undefined {
  return clips?.flatMap(({ file, encoding }, number) => {
    const ofClip = cut.clips[number];
    return ofClip ? [{ source: file.probe, encoding, ...ofClip }] : [];
  });
}

export function outputTracks({ source, encoding, clips }: Omit<WithClips, 'timelineOrigin'>): AudioStream[] {
  if (clips === undefined) return selectAudio(source, encoding);
  const [first] = clips;
  const probes = clips.map((clip) => clip.source);
  const joined = first && joinedTrack(probes, totalFrames(clips) / clipFps(first.encoding));
  return joined ? [joined] : [];
}

/** The work with the source, encoding and timeline origin of the clip that a chunk is of. */
export function workOfChunk<Work extends WithClips>(work: Work, { clip: number = 0 }: Pick<Chunk, 'clip'>): Work {
  const clip = work.clips?.[number];
  if (clip === undefined) return work;
  const { source, encoding, timelineOrigin } = clip;
  return { ...work, source, encoding, timelineOrigin };
}

/** A source, its encoding and, if it is one of several that follow one another, its clip. */
export type VideoToCut = ChunkingSource & {
  encoding: Encoding;
  clip?: ClipEncoding & {
    /** Share of its work in that of all clips, 0 to 1. */
    costShare: number;
  };
};

export type VideoInChunks = Pick<FrameTimes, 'timeBase' | 'pts'> &
  Pick<FrameIndex, 'timelineOrigin'> & { chunks: Chunk[] };

/**
 * Cuts one source. Undefined if the encoding keeps none of its frames.
 * @throws JobError `TRANSCODE_ERROR` for clip number `input` if it has fewer frames than its header states
 */
export function cutSource(
  { index, probe, video, encoding, clip }: VideoToCut,
  { input, ...options }: Pick<CutOptions, 'maxChunks' | 'uncut'> & { input: number },
): VideoInChunks | undefined {
  const { frameGrid } = encoding;
  const output = outputFrameIndex(index, video, encoding);
  const found = keptFrames({ source: index, output }, { probe, encoding });
  // Of a clip, the frames that its header states.
  const kept = clip === undefined ? found : { ...found, end: Math.min(found.end, clip.frames) };
  if (kept.first === kept.end) return undefined;
  if (clip) requireClipFrames(clip, { frames: kept.end, input });
  const chunks = cutVideo(output, {
    ...options,
    source: index,
    shown: frameGrid && gridTimes(output, frameGrid, kept.first),
    kept,
    container: probe.container,
    keyframeIntervalSeconds: encoding.segmenting?.keyframeIntervalSeconds,
    statedEndSeconds: constantRateOf(encoding) === undefined ? statedEndSeconds(probe, video) : undefined,
  });
  const { timelineOrigin } = index;
  const times = cutIndex(output, kept);
  const { timeBase, pts } = frameGrid ? gridTimes(times, frameGrid) : times;
  const cut = { timelineOrigin, timeBase, pts, chunks };
  return clip === undefined ? cut : padClip(cut, clip.frames > pts.length);
}

/** The times of frames on a grid that starts with frame number `first`, in its ticks. */
function gridTimes({ pts, timeBase }: FrameTimes, grid: FrameGrid, first = 0): FrameTimes {
  const { [first]: firstTicks = 0 } = pts;
  const tickSeconds = ticksToSeconds(1, timeBase);
  return {
    timeBase: { numerator: 1, denominator: grid.ticksPerSecond },
    pts: pts.map((ticks) => gridTicks(grid, { ticks, firstTicks, tickSeconds })),
  };
}

/** The end of a clip, by filters of a single pass: they repeat the last frame once if it is short of one. */
function padClip({ timeBase, pts, chunks, ...cut }: VideoInChunks, isShort: boolean): VideoInChunks {
  const [last] = chunks.slice(-1);
  if (last === undefined) throw new TypeError('Expected at least one chunk');
  const added = isShort ? 1 : 0;
  const { trimEndSeconds: _, ...rest } = last;
  const padded = {
    ...rest,
    frames: last.frames + added,
    durationSeconds: last.durationSeconds + ticksToSeconds(added, timeBase),
    endsClip: true,
  };
  const paddedPts = new Float64Array(pts.length + added).fill((pts.at(-1) ?? 0) + 1);
  paddedPts.set(pts);
  return { ...cut, timeBase, pts: paddedPts, chunks: [...chunks.slice(0, -1), padded] };
}

/** Places clips of one constant rate one after the other. */
export function joinClips(
  clips: readonly (VideoInChunks & { costShare: number })[],
): Pick<VideoInChunks, 'chunks'> & { frameTimes: FrameTimes } {
  const timeBase = clips[0]?.timeBase ?? { numerator: 1, denominator: 1 };
  let frames = 0;
  const chunks = clips.flatMap((clip, number) => {
    const offset = ticksToSeconds(frames, timeBase);
    frames += clip.pts.length;
    return clip.chunks.map((chunk): Chunk => {
      const { startSeconds, costShare } = chunk;
      const position = { clip: number, startSeconds: offset + startSeconds, clipSeconds: startSeconds };
      return { ...chunk, ...position, costShare: costShare * clip.costShare };
    });
  });
  return { chunks, frameTimes: { timeBase, pts: Float64Array.from({ length: frames }, (_, frame) => frame) } };
}

/** Seconds from the first frame of a source to its last. */
export function sourceSeconds({ pts, timeBase }: FrameIndex): number {
  return ticksToSeconds((pts.at(-1) ?? 0) - (pts[0] ?? 0), timeBase);
}
