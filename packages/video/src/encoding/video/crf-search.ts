/** A tried CRF and its score. A higher CRF scores lower. */
export type CrfTrial = { crf: number; score: number };

export type CrfSearch = {
  target: number;
  initialCrf: number;
  /** The lowest (best looking) and the highest CRF to consider. */
  crfRange: readonly [number, number];
};

/** Maximum number of trials. The interpolation rarely needs more than four. */
export const maxTrials = 6;

/** Assumed loss of score per step of CRF until two trials measure it. */
const assumedScorePerCrf = 1.2;

/**
 * The next CRF to try. The search looks for the highest whole CRF that scores at least the target, which makes the
 * smallest file. Undefined once that is found or `maxTrials` are done.
 */
export function nextCrf(
  trials: readonly CrfTrial[],
  { target, initialCrf, crfRange: [lowest, highest] }: CrfSearch,
): number | undefined {
  if (trials.length === 0) return clamp(initialCrf, lowest, highest);
  if (trials.length >= maxTrials) return undefined;
  const passed = highestOf(trials.filter(({ score }) => score >= target));
  const failed = lowestOf(trials.filter(({ score }) => score < target));
  const from = passed ? passed.crf + 1 : lowest;
  const to = failed ? failed.crf - 1 : highest;
  if (from > to) return undefined;
  return clamp(estimateCrf(passed, failed, target), from, to);
}

/** The highest CRF that reaches the target, else the one that comes closest. */
export function bestTrial(trials: readonly CrfTrial[], target: number): CrfTrial {
  const best = highestOf(trials.filter(({ score }) => score >= target)) ?? lowestOf(trials);
  if (best === undefined) throw new Error('The search has no trials');
  return best;
}

/** Interpolates between the two nearest trials, or extrapolates from the only one by the assumed slope. */
function estimateCrf(passed: CrfTrial | undefined, failed: CrfTrial | undefined, target: number): number {
  const known = passed ?? failed;
  if (known === undefined) throw new Error('The search has no trials');
  const slope = passed && failed ? (passed.score - failed.score) / (failed.crf - passed.crf) : assumedScorePerCrf;
  return known.crf + (known.score - target) / Math.max(slope, 0.01);
}

function clamp(crf: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, Math.floor(crf)));
}

function highestOf(trials: readonly CrfTrial[]): CrfTrial | undefined {
  return trials.toSorted((a, b) => b.crf - a.crf)[0];
}

function lowestOf(trials: readonly CrfTrial[]): CrfTrial | undefined {
  return trials.toSorted((a, b) => a.crf - b.crf)[0];
}
