import { keepsOneClock } from '../media/clocks.ts';
import type { Probe, VideoStream } from '../media/probe.ts';
import type { PictureIndex } from './picture-index.ts';
import { secondsOf } from './ticks.ts';

export type Source = { probe: Pick<Probe, 'container'>; video: VideoStream; index: PictureIndex };

type SourceRule = (source: Source) => string | undefined;

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

  timesAreMissing({ index: { oddities, times } }) {
    if (times.length === 0) return 'no picture of it says when it is shown';
    const { withoutTime: count } = oddities;
    return count === 0 ? undefined : `${count} of its pictures do not say when they are shown`;
  },

  isDamaged({ index: { oddities } }) {
    return oddities.damaged === 0 ? undefined : `${oddities.damaged} of its packets are damaged`;
  },

  /** What a decoder makes of these depends on the decoder. */
  beginsBeforeAKeyframe({ index: { oddities } }) {
    const { beforeFirstKeyframe: count } = oddities;
    return count === 0 ? undefined : `${count} of its pictures come before its first keyframe`;
  },

  timesRunBackwards({ index: { oddities, times } }) {
    if (oddities.runsBackwards) return 'its keyframes are not in the order in which they are shown';
    return (times[0] ?? 0) < 0 ? 'its first picture comes before its beginning' : undefined;
  },

  picturesAtOneTime({ index: { times } }) {
    return times.some((time, index) => time === times[index - 1])
      ? 'several of its pictures are shown at the same time'
      : undefined;
  },

  timesJump({ index: { times, timeBase }, probe: { container } }) {
    if (keepsOneClock(container)) return undefined;
    const most = longestGapSeconds / secondsOf(1, timeBase);
    const after = times.findIndex((time, index) => time - (times[index - 1] ?? time) > most);
    return after === -1
      ? undefined
      : `its times jump at ${secondsOf(times[after - 1] ?? 0, timeBase).toFixed(3)} s`;
  },

  clockIsTooFine({ index: { timeBase } }) {
    return secondsOf(1, timeBase) > finestTickSeconds
      ? undefined
      : 'its clock is finer than that by which chunks are joined';
  },
} as const satisfies Record<string, SourceRule>;
