import { describe, expect, it } from 'vitest';
import type { OutputMeasurement } from '../../../src/encoding/plan.ts';
import {
  finishedSampling,
  type ScoredSample,
  sampleRound,
  scoreSamples,
  standardError,
} from '../../../src/encoding/video/sampling.ts';
import { measureVmaf } from '../../../src/encoding/video/vmaf-samples.ts';
import { aProbe, aVideoStream } from '../../builders/media/a-probe.ts';

const durationSeconds = 900;
const framesPerSecond = 25;
const video = { durationSeconds, framesPerSecond };

/** The score of a frame by its time, for videos whose scenes differ in many ways. */
const curves: Record<string, (seconds: number) => number> = {
  'of one quality': () => 92,
  'that gets worse': (seconds) => 95 - seconds / 30,
  'with a bad last tenth': (seconds) => (seconds < 810 ? 95 : 60),
  'with a bad minute in the middle': (seconds) => (seconds > 270 && seconds < 330 ? 50 : 93),
  'that changes every 10 s': (seconds) => (seconds % 20 < 10 ? 96 : 84),
  'that changes every 7.5 s, as often as there are samples': (seconds) => (seconds % 15 < 7.5 ? 96 : 84),
  'that changes twice in every share': (seconds) => (seconds % 5 < 2.5 ? 96 : 84),
  'that is worse for 2 s of every 10': (seconds) => (seconds % 10 < 2 ? 82 : 94),
  'with scenes of growing length': (seconds) => (Math.floor(Math.sqrt(seconds)) % 2 === 0 ? 96 : 82),
  'that fades slowly up and down': (seconds) => 88 + 8 * Math.sin(seconds / 40),
};

/** Measures a video with these scores, and returns its score and the number of rounds. */
function sampled(scoreAt: (seconds: number) => number, length = durationSeconds): { vmaf: number; rounds: number } {
  const probe = aProbe([aVideoStream({ durationSeconds: length })]);
  const source = { path: 'source.mp4', probe, transform: { scale: { width: 1280, height: 720 } } };
  let current = measureVmaf(source, 'finished.mp4').read('', [{ probe }]);
  let rounds = 0;
  while (typeof current.read === 'function') {
    const measurement = current as OutputMeasurement;
    const isWhole = measurement.measure.length === 1;
    const samples = isWhole
      ? [{ start: 0, end: length }]
      : sampleRound({ ...video, durationSeconds: length }, finishedSampling, rounds);
    const results = samples.map(({ start = 0, end = 0 }) => ({
      frameScores: Array.from({ length: Math.round((end - start) * framesPerSecond) }, (_, frame) =>
        scoreAt(start + frame / framesPerSecond),
      ),
    }));
    expect(measurement.measure).toHaveLength(samples.length);
    current = measurement.read('', results);
    rounds += 1;
  }
  return { vmaf: (current as { vmaf: number }).vmaf, rounds };
}

function meanOf(scoreAt: (seconds: number) => number): number {
  const frames = durationSeconds * framesPerSecond;
  const sum = Array.from({ length: frames }, (_, frame) => scoreAt(frame / framesPerSecond)).reduce(
    (total, score) => total + score,
    0,
  );
  return sum / frames;
}

describe('the score of samples of fifteen minutes', () => {
  it.each(Object.entries(curves))('%s is within 0.5 of that of all frames', (_, scoreAt) => {
    expect(Math.abs(sampled(scoreAt).vmaf - meanOf(scoreAt))).toBeLessThan(0.5);
  });

  it('takes one round where scenes are alike, and at most four where they differ', () => {
    expect(sampled(() => 92).rounds).toBe(1);
    expect(sampled((seconds) => 60 + 35 * Math.sin(13 * Math.floor(seconds / 4))).rounds).toBe(4);
  });

  it('of a shorter video is that of all its frames, if four rounds are not precise enough', () => {
    const scoreAt = (seconds: number) => 60 + 35 * Math.sin(13 * Math.floor(seconds));
    const { vmaf, rounds } = sampled(scoreAt, 300);
    expect(rounds).toBe(5);
    const frames = Array.from({ length: 300 * framesPerSecond }, (_, frame) => scoreAt(frame / framesPerSecond));
    expect(vmaf).toBeCloseTo(frames.reduce((sum, score) => sum + score, 0) / frames.length, 1);
  });
});

describe('samples', () => {
  it('lie in their shares and differ from round to round', () => {
    const rounds = Array.from({ length: finishedSampling.maxRounds }, (_, round) =>
      sampleRound(video, finishedSampling, round),
    );
    for (const samples of rounds) {
      for (const [share, { start = -1, end = -1 }] of samples.entries()) {
        expect(start).toBeGreaterThanOrEqual(share * 15);
        expect(end).toBeLessThanOrEqual((share + 1) * 15);
      }
    }
    expect(new Set(rounds.flat().map(({ start }) => start?.toFixed(3))).size).toBe(240);
  });

  it('have at least four frames of a slow video', () => {
    const [first] = sampleRound({ ...video, framesPerSecond: 1 }, finishedSampling, 0);
    expect((first?.end ?? 0) - (first?.start ?? 0)).toBeCloseTo(4);
  });
});

it('the standard error counts the differences of neighbours, not a slow change', () => {
  const scored = (means: number[]): ScoredSample[] =>
    means.map((mean, start) => ({ start, scores: [mean - 1, mean + 1] }));
  expect(standardError(scored([90, 92, 90, 92]))).toBeCloseTo(Math.SQRT2 / 2);
  expect(standardError(scored(Array.from({ length: 100 }, (_, index) => 50 + index / 10)))).toBeLessThan(0.01);
});

it('the first frame after a cut does not count, unless every sample has only one', () => {
  const samples = [{ start: 10 }, { start: 20 }];
  const resultsOf = (...scores: number[][]) => scores.map((frameScores) => ({ frameScores }));
  expect(scoreSamples(samples, resultsOf([10, 90, 92], [20]))).toEqual([{ start: 10, scores: [90, 92] }]);
  expect(scoreSamples(samples, resultsOf([10], [20]))).toEqual([
    { start: 10, scores: [10] },
    { start: 20, scores: [20] },
  ]);
  expect(scoreSamples([{}], resultsOf([90]))).toEqual([{ start: 0, scores: [90] }]);
});
