import { firstNotBefore } from '../../values.ts';

/** What an edit list shows of a track. */
export type Edit = {
  /** Ticks of the track before its first sample is shown. */
  emptyTicks: number;
  /** Presentation time at which the shown part starts, in ticks of the track. */
  mediaTime: number;
  durationTicks: number;
};

/** The samples of a track in decoding order. */
export type Samples = {
  /** Decoding times in ticks, from 0. */
  dts: Float64Array;
  /** Presentation time less decoding time; left out if they are the same. */
  offsets?: Int32Array | undefined;
  isKeyframe: (sample: number) => boolean;
};

/** Samples that ffmpeg reads, from `first` up to but excluding `end`. */
export type EditedSamples = {
  first: number;
  end: number;
  /** Presentation time less that of the track, in ticks. */
  shiftTicks: number;
  isShown: (sample: number) => boolean;
};

/**
 * Parses `elst`: empty edits and then one of the track, at normal speed. Undefined for any other list: ffmpeg is left to
 * say what it reads of these.
 */
export function readEditList(
  view: DataView,
  { timescale, movieTimescale }: { timescale: number; movieTimescale: number },
): Edit | undefined {
  const edits = readEdits(view);
  const [last, ...before] = edits.toReversed();
  const ticksOf = (edit: { movieTicks: number }) => Math.round((edit.movieTicks * timescale) / movieTimescale);
  if (last === undefined || before.some(({ mediaTime }) => mediaTime !== -1)) return undefined;
  const { mediaTime, isNormalSpeed } = last;
  const durationTicks = ticksOf(last);
  if (mediaTime < 0 || durationTicks === 0 || !isNormalSpeed) return undefined;
  return { emptyTicks: before.reduce((sum, edit) => sum + ticksOf(edit), 0), mediaTime, durationTicks };
}

const maxEdits = 1000;

/** The edits of `elst`. One is empty if its media time is -1. None of a list that is not whole. */
export function readEdits(view: DataView): { movieTicks: number; mediaTime: number; isNormalSpeed: boolean }[] {
  if (view.byteLength < 8) return [];
  const isLong = view.getUint8(0) === 1;
  const [count, entryBytes] = [view.getUint32(4), isLong ? 20 : 12];
  if (count > maxEdits || 8 + count * entryBytes > view.byteLength) return [];
  return Array.from({ length: count }, (_, entry) => {
    const at = 8 + entry * entryBytes;
    return {
      movieTicks: isLong ? Number(view.getBigUint64(at)) : view.getUint32(at),
      mediaTime: isLong ? Number(view.getBigInt64(at + 8)) : view.getInt32(at + 4),
      isNormalSpeed: view.getUint32(at + entryBytes - 4) === 0x10000,
    };
  });
}

/**
 * The samples that ffmpeg reads under an edit, and which of them it shows (`mov_fix_index` of its demuxer): from the
 * keyframe before the shown part to the second keyframe after it, since frames that are shown may follow the first in
 * decoding order. The earliest shown sample has the time after the empty edits, whatever the edit says; with negative
 * composition offsets it may have an earlier one.
 */
export function applyEdit(samples: Samples, edit: Edit): EditedSamples | undefined {
  const { dts, offsets, isKeyframe } = samples;
  const timeOf = (sample: number) => (dts[sample] ?? 0) + (offsets?.[sample] ?? 0);
  const first = keyframeBefore(samples, edit.mediaTime);
  if (first === undefined) return undefined;
  const endTime = edit.mediaTime + edit.durationTicks;
  const isShown = (sample: number) => timeOf(sample) >= edit.mediaTime && timeOf(sample) < endTime;
  let [end, keyframesAfter] = [first, 0];
  /** Decoding time of the first sample that is shown. */
  let startTicks: number | undefined;
  // As in ffmpeg, which takes a negative minimum for none yet.
  let earliestTime = -1;
  while (end < dts.length) {
    const sample = end;
    end += 1;
    if (isShown(sample)) {
      startTicks ??= dts[sample] ?? 0;
      const time = edit.emptyTicks + timeOf(sample) - startTicks;
      earliestTime = earliestTime < 0 ? time : Math.min(earliestTime, time);
    }
    const durationTicks = sample + 1 < dts.length ? (dts[sample + 1] ?? 0) - (dts[sample] ?? 0) : edit.durationTicks;
    if (timeOf(sample) + durationTicks < endTime || !isKeyframe(sample)) continue;
    keyframesAfter += 1;
    if (keyframesAfter === (offsets === undefined ? 1 : 2)) break;
  }
  if (startTicks === undefined) return undefined;
  const lateTicks = Math.max(0, earliestTime - edit.emptyTicks);
  return { first, end, shiftTicks: edit.emptyTicks - startTicks - lateTicks, isShown };
}

/** The last keyframe that is decoded and shown no later than a time. */
function keyframeBefore({ dts, offsets, isKeyframe }: Samples, time: number): number | undefined {
  for (let sample = firstNotBefore(dts.length, (at) => (dts[at] ?? 0) <= time) - 1; sample >= 0; sample -= 1) {
    const shownAt = (dts[sample] ?? 0) + (offsets?.[sample] ?? 0);
    if (isKeyframe(sample) && shownAt <= time) return sample;
  }
  return offsets !== undefined || isKeyframe(0) ? 0 : undefined;
}
