import type { Probe } from '../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../media/probe/streams.ts';
import type { TaskResult } from '../plan.ts';

/** A stretch of a video to score, in seconds. Without a bound it goes to the start or the end of the video. */
export type Sample = { start?: number | undefined; end?: number | undefined };

/** How a finished video is sampled: in rounds, each with one sample in every share of the video. */
export type Sampling = {
  /** A video up to this length is scored whole. */
  wholeSeconds: number;
  sampleSeconds: number;
  /** A sample is longer where it would have fewer frames. */
  minSampleFrames: number;
  /** Shares of equal length. */
  shares: number;
  maxRounds: number;
  /** Of the mean of all samples: no further round below it. */
  maxStandardError: number;
  /** If the rounds do not reach it, a video up to this length is scored whole. */
  maxWholeSeconds: number;
};

/**
 * Many short samples, since scenes differ more than the frames of a scene. Twice the standard error is the 0.5 that
 * packages/video/src/runner/DECISION.md promises.
 */
export const finishedSampling: Sampling = {
  wholeSeconds: 180,
  sampleSeconds: 0.8,
  minSampleFrames: 4,
  shares: 60,
  maxRounds: 4,
  maxStandardError: 0.25,
  // The samples of four rounds have 192 s: all of ten minutes is at most three times as much.
  maxWholeSeconds: 600,
};

/** For the search, which encodes each sample up to six times: one sample for each interval. */
const searchSampling = { wholeSeconds: 12, sampleSeconds: 4, intervalSeconds: 150, minSamples: 3, maxSamples: 12 };

/** The samples on which the search compares encodings. */
export function searchSamples(probe: Probe): Required<Sample>[] {
  const { wholeSeconds, sampleSeconds, intervalSeconds, minSamples, maxSamples } = searchSampling;
  const durationSeconds = endSecondsOf(probe, [requireVideo(probe)]) ?? 0;
  if (durationSeconds <= wholeSeconds) return [{ start: 0, end: durationSeconds }];
  const count = Math.min(maxSamples, Math.max(minSamples, Math.ceil(durationSeconds / intervalSeconds)));
  return Array.from({ length: count }, (_, share) =>
    sampleAt({ share, count, position: 0.5, durationSeconds, sampleSeconds }),
  );
}

/**
 * The samples of a round, from 0, of a finished video. Their positions in the shares differ, so that no regular change of
 * scenes meets all of them in the same scene; they differ from those of the rounds before.
 */
export function sampleRound(
  { durationSeconds, framesPerSecond }: { durationSeconds: number; framesPerSecond: number },
  { wholeSeconds, sampleSeconds: seconds, minSampleFrames, shares }: Sampling,
  round: number,
): Sample[] {
  if (durationSeconds <= wholeSeconds) return [{}];
  const sampleSeconds = Math.max(seconds, minSampleFrames / framesPerSecond);
  const offset = roundOffsets[round % roundOffsets.length] ?? 0;
  return Array.from({ length: shares }, (_, share) => {
    const position = (offset + 0.5 + share * goldenRatio) % 1;
    return sampleAt({ share, count: shares, position, durationSeconds, sampleSeconds });
  });
}

/** Multiples of it modulo 1 are spread evenly, however many there are. */
const goldenRatio = (Math.sqrt(5) - 1) / 2;

const roundOffsets = [0, 0.5, 0.25, 0.75];

type Place = Record<'share' | 'count' | 'position' | 'durationSeconds' | 'sampleSeconds', number>;

function sampleAt({ share, count, position, durationSeconds, sampleSeconds }: Place): Required<Sample> {
  const start = Math.max(0, ((share + position) * durationSeconds) / count - position * sampleSeconds);
  return { start, end: start + sampleSeconds };
}

export type ScoredSample = { start: number; scores: readonly number[] };

/**
 * The frame scores of each sample, from the results of one comparison for each. The first frame after a cut does not
 * count: libvmaf has no motion for it. So a sample of one frame, from a pause of a screen recording, counts only if all
 * are such samples.
 */
export function scoreSamples(samples: readonly Sample[], results: readonly TaskResult[]): ScoredSample[] {
  const compared = results.flatMap(({ frameScores }) => (frameScores === undefined ? [] : [frameScores]));
  const scored = compared.map((scores, index) => ({ start: samples[index]?.start ?? 0, scores }));
  const moving = scored.filter(({ start, scores }) => start === 0 || scores.length > 1);
  return moving.length === 0
    ? scored
    : moving.map(({ start, scores }) => ({ start, scores: start > 0 ? scores.slice(1) : scores }));
}

/**
 * The standard error of the mean of samples that are spread over a video, from the differences of neighbours: a slow
 * change over the video is no error, because every part of it has its samples.
 */
export function standardError(samples: readonly ScoredSample[]): number {
  const means = samples
    .toSorted((a, b) => a.start - b.start)
    .map(({ scores }) => scores.reduce((sum, score) => sum + score, 0) / scores.length);
  const squares = means.slice(1).map((mean, index) => (mean - (means[index] ?? mean)) ** 2);
  const variance = squares.reduce((sum, square) => sum + square, 0) / (2 * squares.length);
  return Math.sqrt(variance / means.length);
}
