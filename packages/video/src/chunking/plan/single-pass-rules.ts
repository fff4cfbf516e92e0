import { selectAudio } from '../../encoding/audio/map-audio.ts';
import type { Encoding } from '../../encoding/encoding.ts';
import { requiredHeldEnd } from '../../encoding/ladder/ladder.ts';
import { hasContinuousTimestamps, seeksByCover } from '../../media/ffmpeg/seek.ts';
import { alphaDecoder } from '../../media/filters/alpha.ts';
import { durationToleranceSeconds } from '../../media/frame-rate.ts';
import { isTimed, lacksStreamEnds } from '../../media/probe/measured-duration.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf } from '../../media/probe/streams.ts';
import { type FrameIndex, frameSeconds, ticksToSeconds } from '../frame-index/frame-index.ts';
import type { Rule } from './chunk-policy.ts';

/**
 * The reason why a source that does not state when its video ends needs a single pass, for which the worker reads all its
 * packets. Its frames end before the file does, so it is truncated, or another stream is longer. An output whose audio may be
 * that stream does not depend on it, unless it is a stream for players.
 */
export function endSinglePassReason(
  { probe, index }: Pick<ChunkingSource, 'probe' | 'index'>,
  encoding: Encoding,
): string | undefined {
  if (!lacksStreamEnds(probe)) return undefined;
  const isStream = encoding.segmenting !== undefined;
  const hasOnlyMedia = probe.streams.filter(isTimed).every(({ kind }) => kind === 'video' || kind === 'audio');
  if (!isStream && hasOnlyMedia && selectAudio(probe, encoding).length > 0) return undefined;
  const { durationSeconds = 0 } = probe;
  const endSeconds = endSecondsOfFrames(index);
  if ((encoding.range?.end ?? Number.POSITIVE_INFINITY) <= endSeconds) return undefined;
  const endsEarly = isStream
    ? requiredHeldEnd(endSeconds, durationSeconds).heldEnd !== undefined
    : durationSeconds - endSeconds > durationToleranceSeconds(durationSeconds);
  return endsEarly
    ? `its video ends at ${endSeconds.toFixed(1)} s of ${durationSeconds.toFixed(1)} s, which its container does not state`
    : undefined;
}

export type ChunkingSource = { probe: Probe; video: VideoStream; index: FrameIndex };

// Concat lists state durations in microseconds.
const minTickSeconds = 1e-6;
// ffmpeg closes a longer gap in a broadcast container as a timestamp discontinuity; within a chunk it would not.
const maxGapSeconds = 10;
// The last frame of a variable rate may last longer than its track.
const maxExcessSeconds = 10;
/** Codecs whose packets may hold hidden frames, single fields or no frame. */
const packetsDifferFromFrames = ['vp8', 'mpeg4', 'msmpeg4v3', 'wmv3', 'vc1', 'theora', 'flv1'];

/** Reasons why chunks of a source could not be joined exactly. Each rule returns its reason, or undefined. */
export const sourceRules = {
  packetsAreNotFrames({ video: { codec } }) {
    if (!packetsDifferFromFrames.includes(codec)) return undefined;
    return `its packets may not match its frames, as is usual in ${codec}`;
  },

  /** mkvmerge may write each field into a block of its own. */
  packetsAreFields({ video: { statesFieldRate, framesPerSecond = 0 }, index }) {
    const { pts, timeBase } = index;
    const seconds = ticksToSeconds((pts.at(-1) ?? 0) - (pts[0] ?? 0), timeBase);
    return statesFieldRate && pts.length > 1.5 * (seconds * framesPerSecond + 1)
      ? 'its packets are single fields'
      : undefined;
  },

  misstatesKeyframes({ video: { misstatesKeyframes } }) {
    return misstatesKeyframes ? 'its container states keyframes that are none' : undefined;
  },

  seeksByCover({ probe }) {
    return seeksByCover(probe) ? 'ffmpeg seeks by its cover image, which is a track' : undefined;
  },

  /** Chunk tasks use ffmpeg's own decoders, which skip this transparency. */
  needsAlphaDecoder({ video }) {
    return alphaDecoder(video) === undefined ? undefined : 'its transparency needs another decoder';
  },

  hasMissingPts({ index: { anomalies, pts } }) {
    if (pts.length === 0) return 'no frame has a timestamp';
    const { missingPts } = anomalies;
    return missingPts === 0 ? undefined : `${missingPts} of its frames have no timestamp`;
  },

  hasTooManyPackets({ index: { anomalies } }) {
    const { unreadPackets } = anomalies;
    return unreadPackets === 0 ? undefined : `it has ${unreadPackets} frames more than can be indexed`;
  },

  /** The limits, the cost and the caps of a job are checked by the stated duration. */
  outlastsItsDuration({ index, probe, video }) {
    const statedSeconds = Math.max(endSecondsOf(probe, [video]) ?? 0, probe.durationSeconds ?? 0);
    const endSeconds = endSecondsOfFrames(index);
    const excessSeconds = endSeconds - statedSeconds;
    return statedSeconds === 0 || excessSeconds <= Math.max(maxExcessSeconds, 0.01 * statedSeconds)
      ? undefined
      : `it lasts until ${endSeconds.toFixed(1)} s, but states an end at ${statedSeconds.toFixed(1)} s`;
  },

  hasCorruptPackets({ index: { anomalies } }) {
    const { corruptPackets } = anomalies;
    return corruptPackets === 0 ? undefined : `${corruptPackets} of its packets are corrupt`;
  },

  /** Decoders differ in what they output for these frames. */
  startsBeforeKeyframe({ index: { anomalies } }) {
    const { framesBeforeKeyframe } = anomalies;
    return framesBeforeKeyframe === 0
      ? undefined
      : `${framesBeforeKeyframe} of its frames come before the first keyframe`;
  },

  hasUnorderedPts({ index: { anomalies, pts } }) {
    if (anomalies.hasUnorderedKeyframes) return 'its keyframes are not in presentation order';
    return (pts[0] ?? 0) < 0 ? 'its first frame comes before the start of its timeline' : undefined;
  },

  hasDuplicatePts({ index: { pts } }) {
    return pts.some((time, index) => time === pts[index - 1])
      ? 'several of its frames have the same timestamp'
      : undefined;
  },

  hasTimestampGap({ index: { pts, timeBase }, probe: { container } }) {
    if (hasContinuousTimestamps(container)) return undefined;
    const maxGapTicks = maxGapSeconds / ticksToSeconds(1, timeBase);
    const frame = pts.findIndex((time, index) => time - (pts[index - 1] ?? time) > maxGapTicks);
    return frame === -1
      ? undefined
      : `its timestamps jump at ${ticksToSeconds(pts[frame - 1] ?? 0, timeBase).toFixed(3)} s`;
  },

  timeBaseIsTooFine({ index: { timeBase } }) {
    return ticksToSeconds(1, timeBase) > minTickSeconds
      ? undefined
      : 'its time base is finer than the microseconds in which chunks are joined';
  },
} as const satisfies Record<string, Rule<ChunkingSource>>;

function endSecondsOfFrames(index: FrameIndex): number {
  const { pts, timeBase, lastFrameTicks = 0 } = index;
  return frameSeconds(index, pts.length - 1) + ticksToSeconds(lastFrameTicks, timeBase);
}
