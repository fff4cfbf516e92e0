/** A tried video bit rate, and the size of the whole file. */
export type SizeTrial = { kbps: number; sizeBytes: number };

export type SizeSearch = {
  /** The file must not be larger. */
  targetBytes: number;
  /** The smallest accepted share of that. */
  minShare: number;
  initialKbps: number;
  /** The highest bit rate of the encoder. */
  maxKbps: number;
  /** Bytes of the file that do not depend on the video bit rate. */
  fixedBytes: number;
};

/** Maximum number of trials at new bit rates. Two passes rarely need more than two. */
export const maxSizeTrials = 6;

/** Maximum number of further trials at the best of these bit rates and below it. */
export const maxSizeRepeats = 4;

/** The bit rate of a repeat that is too large, times this, is the next: SVT-AV1 varies by a few percent from run to run. */
const repeatStep = 0.97;

/** What a trial aims at: the middle of the accepted range. */
export function aimBytesOf({ targetBytes, minShare }: Pick<SizeSearch, 'targetBytes' | 'minShare'>): number {
  return (targetBytes * (1 + minShare)) / 2;
}

/** Growth of a file, relative to that of the bit rate, below which the encoder has reached its best quality. */
const minGrowth = 0.05;

/** Growth of the bit rate from which on that of the file is not the variation of SVT-AV1 from run to run. */
const minRateGrowth = 1.25;

/**
 * The next video bit rate to try; undefined once the last trial is the result: it fits, more bits do not help, or the search
 * is over. A better trial than the last is encoded again, and its size checked again.
 */
export function nextKbps(trials: readonly SizeTrial[], search: SizeSearch): number | undefined {
  const last = trials.at(-1);
  if (last === undefined) return search.initialKbps;
  if (fits(last, search) || isAtMaximum(last, search)) return undefined;
  if (trials.length >= maxSizeTrials) return repeatedKbps(trials, search);
  if (isSaturated(trials, search)) return undefined;
  const below = trials
    .filter(({ sizeBytes }) => sizeBytes <= search.targetBytes)
    .toSorted(bySize)
    .at(-1);
  const above = trials.filter(({ sizeBytes }) => sizeBytes > search.targetBytes).toSorted(bySize)[0];
  const aimBytes = aimBytesOf(search);
  if (below !== undefined && above !== undefined && below.kbps < above.kbps) {
    const share = (aimBytes - below.sizeBytes) / (above.sizeBytes - below.sizeBytes);
    // Not at the bounds, where the search would not move.
    return Math.round(below.kbps + Math.min(0.95, Math.max(0.05, share)) * (above.kbps - below.kbps));
  }
  // The sizes of SVT-AV1 vary from run to run: aim lower with each trial that is too large.
  const caution = below === undefined ? 0.98 ** (trials.length - 1) : 1;
  const factor = (caution * aimBytes - search.fixedBytes) / Math.max(1, last.sizeBytes - search.fixedBytes);
  const kbps = Math.round(last.kbps * Math.min(4, Math.max(0.25, factor)));
  return Math.max(1, Math.min(search.maxKbps, kbps));
}

/** The bit rate at which the best trial is encoded again; undefined if its file is the last, or no trial is small enough. */
function repeatedKbps(trials: readonly SizeTrial[], { targetBytes }: SizeSearch): number | undefined {
  const isSmallEnough = ({ sizeBytes }: SizeTrial) => sizeBytes <= targetBytes;
  const best = trials.slice(0, maxSizeTrials).filter(isSmallEnough).toSorted(bySize).at(-1);
  const last = trials.at(-1);
  if (best === undefined || last === undefined || last === best) return undefined;
  if (trials.length === maxSizeTrials) return best.kbps;
  const isOver = isSmallEnough(last) || trials.length >= maxSizeTrials + maxSizeRepeats;
  return isOver ? undefined : Math.max(1, Math.floor(last.kbps * repeatStep));
}

function fits({ sizeBytes }: SizeTrial, { targetBytes, minShare }: SizeSearch): boolean {
  return sizeBytes <= targetBytes && sizeBytes >= minShare * targetBytes;
}

/** The encoder has no higher bit rate, and the file is not too large. */
function isAtMaximum({ kbps, sizeBytes }: SizeTrial, { maxKbps, targetBytes }: SizeSearch): boolean {
  return kbps >= maxKbps && sizeBytes <= targetBytes;
}

/** All trials are too small, and a much larger bit rate made no larger file. */
function isSaturated(trials: readonly SizeTrial[], { targetBytes }: SizeSearch): boolean {
  const last = trials.at(-1);
  if (last === undefined || trials.some(({ sizeBytes }) => sizeBytes > targetBytes)) return false;
  return trials.some(({ kbps, sizeBytes }) => {
    const rateGrowth = last.kbps / kbps;
    return rateGrowth >= minRateGrowth && last.sizeBytes / sizeBytes - 1 < minGrowth * (rateGrowth - 1);
  });
}

function bySize(one: SizeTrial, other: SizeTrial): number {
  return one.sizeBytes - other.sizeBytes;
}
