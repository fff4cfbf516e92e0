import { expect, it } from 'vitest';
import { readInvocation } from '../../../bench/harness/film/timed-function.ts';
import { twoHours } from '../../../bench/harness/film/two-hours.ts';
import { recipeCost } from '../../../cost/recipe-forecast.ts';

const run = {
  seconds: 300,
  prepare: { wall: 0.9, processor: 0.05 },
  tasks: [
    { wall: 40, processor: 50 },
    { wall: 50, processor: 60 },
  ],
  join: { wall: 1.2, processor: 0.7 },
  resultGb: 0.008,
};
const hoursWith = (executions: number) => twoHours(run, { minutes: 10, executions });

it('two hours take the plan, the rounds of the tasks and the join', () => {
  const { prepare, slowestTask, join, total } = hoursWith(1000);
  expect(total).toBeCloseTo(prepare + slowestTask + join);
  // 3 s of each function, what the film took, and 201,000 more frames.
  expect(prepare).toBeCloseTo(3 + 0.9 + 201_000 * 0.000002);
  // The join carries the two chunks of the film; those of two hours are large enough for S3 to copy them.
  const [frames, bytes, requests] = [201_000 * 0.0000025, 0.008 / 0.075, ((200 - 2) * 5 * 0.03) / 16];
  expect(join).toBeCloseTo(3 + 1.2 + frames - bytes + requests);
});

it('a chunk takes the share of the slowest chunk of the film, each with its preroll', () => {
  const [measuredSeconds, seconds, cpus] = [300, 36, 0.85 * (10_240 / 1769)];
  const share = (seconds + 2.4) / (measuredSeconds + 2.4);
  const film = recipeCost({ resolution: '720p', framesPerSecond: 25, durationSeconds: 7200 });
  const hours = recipeCost({ resolution: '1080p', framesPerSecond: 30, durationSeconds: 7200 });
  const size = hours.cpuSeconds / film.cpuSeconds;
  expect(hoursWith(1000).slowestTask).toBeCloseTo(3 + (60 * share * size) / cpus);
});

it('more free executions need fewer rounds, until each task has one', () => {
  const [few, some, many] = [40, 200, 1000].map((count) => hoursWith(count).total);
  expect(few).toBeGreaterThan(1.5 * (some ?? 0));
  expect(some).toBe(many);
});

it('an invocation is read from a line of its function', () => {
  expect(readInvocation('timed-invocation {"wall":1.5,"processor":1}')).toEqual({ wall: 1.5, processor: 1 });
  expect(readInvocation('{"level":"INFO"}')).toBeUndefined();
});
