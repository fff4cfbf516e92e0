import { rejectInput } from '../../errors.ts';
import type { VideoCodec } from '../../media/codecs/video-codecs.ts';
import { rangeSeek, seekArguments } from '../../media/ffmpeg/seek.ts';
import { summarizeScores } from '../../media/ffmpeg/vmaf-comparison.ts';
import { filter } from '../../media/filters/filter.ts';
import type { VideoFormat } from '../../media/formats.ts';
import { number } from '../../values.ts';
import type { VideoEncoding } from '../encoding.ts';
import type { PendingPlan, Plan, PlanInput, PlanTask } from '../plan.ts';
import { encodeVideo } from './encode-video.ts';
import { type Sample, scoreSamples, searchSamples } from './sampling.ts';
import { compareSample, measureVmaf } from './vmaf-samples.ts';

export const targetVmafParameter = () =>
  number(30, 99).optional().meta({
    description:
      'VMAF score to reach, 0 to 100: the mean over all frames at display size. 93 is hard to tell from the source. Samples decide which crf makes the smallest such file; crf is only the first one tried.',
  });

const crfRanges: Record<VideoCodec, readonly [number, number]> = {
  h264: [10, 45],
  h265: [10, 45],
  vp9: [12, 60],
  av1: [12, 60],
};

const usualTrials = 3;

const searchShare = 0.5;

type VideoInput = PlanInput<unknown, VideoFormat>;

type VmafTarget = { encoding: VideoEncoding & { quality: { crf: number } }; target: number };

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

/**
 * Finds the CRF for a VMAF score on samples, then encodes with it and scores the file.
 * @throws JobError `INPUT_UNSUPPORTED` if this worker cannot compare videos
 */
export function encodeToVmaf(input: VideoInput, { encoding, target }: VmafTarget): Plan | PendingPlan {
  if (!input.canCompare) {
    const message =
      'This deployment has neither the program vmaf nor an ffmpeg with libvmaf: use crf instead of targetVmaf';
    rejectInput(message);
  }
  const search: CrfSearch = { target, initialCrf: encoding.quality.crf, crfRange: crfRanges[encoding.codec] };
  const encodeWith = (crf: number) => encodeVideo(input, { ...encoding, quality: { crf } });
  const { outputs } = encodeWith(search.initialCrf);
  const samples = searchSamples(input.probe);

  const measureCrf = (trials: readonly CrfTrial[], crf: number): PendingPlan => ({
    measure: samples.flatMap((sample) => sampleTasks(input, { ...encoding, quality: { crf } }, sample)),
    progressAfter: (searchShare * (trials.length + 1)) / maxTrials,
    outputs,
    encoding,
    decide(_, results) {
      const { vmaf } = summarizeScores(scoreSamples(samples, results).flatMap(({ scores }) => scores));
      return continueSearch([...trials, { crf, score: vmaf }]);
    },
    expected: () =>
      trials.length + 1 < usualTrials ? measureCrf([...trials, { crf, score: target }], crf) : finish(crf),
  });
  const continueSearch = (trials: readonly CrfTrial[]): Plan | PendingPlan => {
    const crf = nextCrf(trials, search);
    return crf === undefined ? finish(bestTrial(trials, target).crf) : measureCrf(trials, crf);
  };
  const finish = (found: number): Plan => {
    const plan = encodeWith(found);
    const [output] = plan.outputs;
    if (output === undefined) throw new TypeError('Expected one output, found none');
    const source = { path: input.inputPath, probe: input.probe, transform: encoding.transform };
    return {
      ...plan,
      measurements: { crf: found },
      outputMeasurement: measureVmaf(source, `${input.outputDirectory}/${output.filename}`),
    };
  };
  return continueSearch([]);
}

function sampleTasks(input: VideoInput, encoding: VideoEncoding, { start, end }: Required<Sample>): PlanTask[] {
  const range = { start, end };
  const sampleInput = { ...input, format: 'mkv' as const };
  const { commands, outputs } = encodeVideo(sampleInput, { ...encoding, range, isMuted: true });
  const [output] = outputs;
  if (output === undefined) throw new TypeError('Expected one output of a sample, found none');
  const { skipSeconds, lengthSeconds } = rangeSeek(input.probe, range);
  const { inputOptions, filters } = seekArguments(input.probe, range, encoding.transform);
  const cut = [
    ...filters,
    filter('trim', `start=${skipSeconds.toFixed(3)}:duration=${lengthSeconds.toFixed(3)}`, { seconds: lengthSeconds }),
  ];
  const encodedPath = `${input.outputDirectory}/${output.filename}`;
  const { probe, inputPath: path } = input;
  const source = { path, probe, transform: encoding.transform };
  return [...commands, compareSample(source, { encodedPath, inputOptions, cut }, end - start)];
}
