/** One value of crf that was tried, and the quality that it gave. Both fall and rise against each other. */
export type CrfTrial = { crf: number; score: number };

export type CrfSearch = {
  target: number;
  /** Where to begin. */
  initialCrf: number;
  /** Lowest (best looking) and highest crf that come into question. */
  crfRange: readonly [number, number];
};

/** Trials after which the search takes what it has: interpolating, it rarely needs more than four. */
export const maxTrials = 6;

/** How far a score falls for one step of crf, before two trials have told. */
const usualFall = 1.2;

/**
 * The crf to try next for the smallest file that still scores the target: the highest whole crf whose score is not
 * below it. Undefined once that is found, or there were enough trials.
 */
export function nextCrf(
  tried: readonly CrfTrial[],
  { target, initialCrf, crfRange: [lowest, highest] }: CrfSearch,
): number | undefined {
  if (tried.length === 0) return within(initialCrf, lowest, highest);
  if (tried.length >= maxTrials) return undefined;
  const good = highestOf(tried.filter(({ score }) => score >= target));
  const bad = lowestOf(tried.filter(({ score }) => score < target));
  const from = good ? good.crf + 1 : lowest;
  const to = bad ? bad.crf - 1 : highest;
  if (from > to) return undefined;
  return within(estimate(good, bad, target), from, to);
}

/** What the search found: the highest crf that reaches the target, else the one that comes nearest to it. */
export function bestTrial(tried: readonly CrfTrial[], target: number): CrfTrial {
  const best = highestOf(tried.filter(({ score }) => score >= target)) ?? lowestOf(tried);
  if (best === undefined) throw new Error('Nothing was tried');
  return best;
}

/** Where the line through the two nearest trials, or one of the usual fall through the only one, meets the target. */
function estimate(good: CrfTrial | undefined, bad: CrfTrial | undefined, target: number): number {
  const known = good ?? bad;
  if (known === undefined) throw new Error('Nothing was tried');
  const fall = good && bad ? (good.score - bad.score) / (bad.crf - good.crf) : usualFall;
  return known.crf + (known.score - target) / Math.max(fall, 0.01);
}

function within(crf: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, Math.floor(crf)));
}

function highestOf(tried: readonly CrfTrial[]): CrfTrial | undefined {
  return tried.toSorted((a, b) => b.crf - a.crf)[0];
}

function lowestOf(tried: readonly CrfTrial[]): CrfTrial | undefined {
  return tried.toSorted((a, b) => a.crf - b.crf)[0];
}
