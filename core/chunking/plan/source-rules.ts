import { hasContinuousTimestamps } from '../../media/ffmpeg/seek.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import type { FrameIndex } from '../frame-index/frame-index.ts';
import { ticksToSeconds } from '../frame-index/time-base.ts';

export type ChunkingSource = { probe: Pick<Probe, 'container'>; video: VideoStream; index: FrameIndex };

type SourceRule = (source: ChunkingSource) => string | undefined;

// Lists of chunks are read in microseconds.
const finestTickSeconds = 1e-6;
// ffmpeg takes a longer one in a broadcast for a new clock, and closes it; a chunk would not know.
const longestGapSeconds = 10;
/** Their packets hold pictures that are never shown, or two fields of one, or none. */
const unlikePictures = ['vp8', 'mpeg4', 'msmpeg4v3', 'wmv3', 'vc1', 'theora', 'flv1'];

/** Why chunks of a source could not be joined exactly; each rule gives its reason, or nothing. */
export const sourceRules = {
  packetsAreNotPictures({ video: { codec } }) {
    if (!unlikePictures.includes(codec)) return undefined;
    return `its packets are not its pictures, as is usual in ${codec}`;
  },

  timesAreMissing({ index: { anomalies: oddities, pts: times } }) {
    if (times.length === 0) return 'no picture of it says when it is shown';
    const { missingPts: count } = oddities;
    return count === 0 ? undefined : `${count} of its pictures do not say when they are shown`;
  },

  isDamaged({ index: { anomalies: oddities } }) {
    return oddities.corruptPackets === 0
      ? undefined
      : `${oddities.corruptPackets} of its packets are damaged`;
  },

  /** What a decoder makes of these depends on the decoder. */
  beginsBeforeAKeyframe({ index: { anomalies: oddities } }) {
    const { framesBeforeKeyframe: count } = oddities;
    return count === 0 ? undefined : `${count} of its pictures come before its first keyframe`;
  },

  timesRunBackwards({ index: { anomalies: oddities, pts: times } }) {
    if (oddities.hasUnorderedKeyframes) return 'its keyframes are not in the order in which they are shown';
    return (times[0] ?? 0) < 0 ? 'its first picture comes before its beginning' : undefined;
  },

  picturesAtOneTime({ index: { pts: times } }) {
    return times.some((time, index) => time === times[index - 1])
      ? 'several of its pictures are shown at the same time'
      : undefined;
  },

  timesJump({ index: { pts: times, timeBase }, probe: { container } }) {
    if (hasContinuousTimestamps(container)) return undefined;
    const most = longestGapSeconds / ticksToSeconds(1, timeBase);
    const after = times.findIndex((time, index) => time - (times[index - 1] ?? time) > most);
    return after === -1
      ? undefined
      : `its times jump at ${ticksToSeconds(times[after - 1] ?? 0, timeBase).toFixed(3)} s`;
  },

  clockIsTooFine({ index: { timeBase } }) {
    return ticksToSeconds(1, timeBase) > finestTickSeconds
      ? undefined
      : 'its clock is finer than that by which chunks are joined';
  },
} as const satisfies Record<string, SourceRule>;
