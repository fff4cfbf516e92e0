import { expect, it } from 'vitest';
import { chunkSettingsSchema } from '../../src/chunking/settings.ts';
import { type StepsPolicy, singlePassReasons } from '../../src/decide/steps-in-chunks.ts';
import type { StepForecast } from '../../src/recipes/graph/forecast-graph.ts';
import { aVideoEncoding } from '../builders/recipes/a-video-encoding.ts';

/** A step of so many seconds on one processor, whose video lasts ten minutes; or one that cannot be split. */
function aStep(index: number, seconds: number, isChunkable = true): StepForecast {
  const cost = {
    cpuSeconds: seconds,
    serialSeconds: 0,
    finalCpuSeconds: seconds,
    codecCpuSeconds: seconds,
    outputBytes: 0,
    copiedBytes: 0,
    encoders: new Set<string>(),
  };
  const chunkable = { encoding: aVideoEncoding(), durationSeconds: 600, outputs: [] };
  return { index, isIntermediate: false, recipe: 'compress', files: 1, cost, ...(isChunkable && { chunkable }) };
}

const policy: StepsPolicy = {
  chunking: chunkSettingsSchema.parse({}),
  speed: 'standard',
  processors: { count: 1, slowness: 1 },
  remainingSeconds: 800,
};

const chosen = (steps: StepForecast[], differences: Partial<StepsPolicy> = {}) => {
  const reasons = singlePassReasons(steps, { ...policy, ...differences });
  return steps.map(({ index }) => index).filter((index) => !reasons.has(index));
};

it('steps that end soon enough together take a single pass', () => {
  expect(chosen([aStep(0, 150), aStep(1, 140)])).toEqual([]);
});

it('of steps that take too long together, those beyond an equal share of the time are encoded in chunks', () => {
  expect(chosen([aStep(0, 160), aStep(1, 145)])).toEqual([0]);
  expect(chosen([aStep(2, 90), aStep(3, 110), aStep(4, 120)])).toEqual([3, 4]);
});

it('at fast speed every step that is long enough is encoded in chunks', () => {
  expect(chosen([aStep(0, 10), aStep(1, 1, false)], { speed: 'fast' })).toEqual([0]);
});

it('a step that cannot be split says so', () => {
  expect([...singlePassReasons([aStep(0, 400, false), aStep(1, 400)], policy)]).toEqual([
    [0, 'Encoded in a single pass: the recipe compress does not encode one video input'],
  ]);
});

it('a single step has all of the time', () => {
  expect(chosen([aStep(1, 290)])).toEqual([]);
  expect(chosen([aStep(1, 310)])).toEqual([1]);
});
