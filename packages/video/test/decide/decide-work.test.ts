import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chunkSettingsSchema } from '../../src/chunking/settings.ts';
import { spread } from '../../src/cost-model/processors.ts';
import { decideWork, type WorkLimits, type WorkPass, type WorkStage } from '../../src/decide/decide-work.ts';
import type { WorkForecast } from '../../src/decide/steps-in-chunks.ts';
import { aVideoEncoding } from '../builders/recipes/a-video-encoding.ts';

const bytes = fc.constantFrom(1e6, 2e8, 4.9e9, 5.1e9, 8e9, 9.5e9, 4e10);

const steps = fc
  .array(
    fc.record({
      cpuSeconds: fc.integer({ min: 1, max: 5_000 }),
      outputBytes: bytes,
      copiedShare: fc.constantFrom(0, 1),
      durationSeconds: fc.constantFrom(undefined, 3, 60, 3_600),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) =>
    all.map(({ cpuSeconds, outputBytes, copiedShare, durationSeconds }, index) => ({
      index,
      isIntermediate: index < all.length - 1,
      recipe: 'compress',
      files: 1,
      cost: {
        ...{ cpuSeconds, finalCpuSeconds: cpuSeconds, codecCpuSeconds: cpuSeconds, serialSeconds: 0 },
        ...{ outputBytes, copiedBytes: outputBytes * copiedShare, encoders: new Set<string>() },
      },
      ...(durationSeconds && { chunkable: { encoding: aVideoEncoding(), durationSeconds, outputs: [] } }),
    })),
  );

const forecasts: fc.Arbitrary<WorkForecast> = fc.record({
  steps,
  ended: fc.constant(new Map()),
  fitsFunction: fc.boolean(),
  fitsTask: fc.boolean().map((fits) => () => fits),
});

const computer = (seconds: number, disk: number) =>
  fc.record({
    processors: fc.record({ count: fc.constantFrom(1, 1.7, 6), slowness: fc.constantFrom(0.5, 1, 3) }),
    maxSeconds: fc.constant(seconds),
    maxDownloadBytes: fc.constant(disk),
  });

const stages: fc.Arbitrary<WorkStage> = fc.record({
  function: computer(867, 9e9),
  task: fc.option(computer(43_200, 9e10), { nil: undefined }),
  chunking: fc.constant(chunkSettingsSchema.parse({})),
});

const sources = fc.record({
  inputBytes: bytes,
  isInPlace: fc.boolean(),
  speed: fc.constantFrom('standard' as const, 'fast' as const),
});

/** What is done of a job, pass by pass, if each is decided when it begins, and takes `late` times what was expected. */
function obeyed(forecast: WorkForecast, stage: WorkStage, first: WorkLimits, late: number): string[] {
  const { steps: all } = forecast;
  const done: WorkPass[] = [];
  let limits = first;
  let left = all;
  for (let index = 0; index < all.length; ) {
    const decision = decideWork({ ...forecast, steps: left }, stage, limits);
    if ('reject' in decision) return [decision.reject.code];
    const [pass] = decision;
    if (pass === undefined) throw new Error(`Nothing is decided for step ${index}`);
    done.push(pass);
    index = pass.to;
    const inputBytes = all[index - 1]?.cost.outputBytes ?? 0;
    const source = { inputBytes, isInPlace: pass.kind === 'chunks', downloadBytes: 0 };
    if (pass.kind === 'chunks') {
      // Another function claims the job.
      left = all.slice(index);
      limits = { ...first, ...source, remainingSeconds: stage.function.maxSeconds };
    } else {
      const ran = all.slice(pass.from, pass.to).reduce((sum, { cost }) => sum + cost.cpuSeconds, 0);
      const remainingSeconds = limits.remainingSeconds - late * ran;
      limits = { ...limits, reached: { index, ...source, remainingSeconds } };
    }
  }
  return done.map(({ kind, from, to }) => `${kind} ${from} ${to}`);
}

it('who works is decided once: the worker that obeys it pass by pass decides the same, however long each takes', () => {
  fc.assert(
    fc.property(
      ...[forecasts, stages, sources, fc.double({ min: 0.5, max: spread, noNaN: true })],
      (forecast, stage, source, late) => {
        const { inputBytes, isInPlace } = source;
        const limits = { ...source, downloadBytes: isInPlace ? 0 : inputBytes, remainingSeconds: 867 };
        const decision = decideWork(forecast, stage, limits);
        const expected =
          'reject' in decision ? [decision.reject.code] : decision.map(({ kind, from, to }) => `${kind} ${from} ${to}`);
        const passes = obeyed(forecast, stage, limits, late);
        expect(passes).toEqual(expected);
      },
    ),
    { numRuns: 10_000 },
  );
});
