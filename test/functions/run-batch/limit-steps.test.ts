import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { expect, it } from 'vitest';
import type { Tenancy } from '../../../core/access/owner.ts';
import type { BatchStep } from '../../../core/batches/batch.ts';
import type { StepResult } from '../../../functions/run-batch/app.ts';
import { limitSteps } from '../../../functions/run-batch/limit-steps.ts';
import { memoryConcurrencyLimits } from '../../../lab/simulation/memory/concurrency-limits.ts';
import { aJobId, start } from '../../builders/jobs/jobs.ts';

const aStep = (number: number, ownerId = 'owner-1'): BatchStep => ({
  ...{ ownerId, batchId: aJobId(number) },
  ...{ start: 1, step: 4, waitSeconds: 8 },
});

/** Steps that run until `end` is called. */
function aFunction(tenancy: Tenancy) {
  const clock = aVirtualClock(start);
  const [running, open] = [memoryConcurrencyLimits(), memoryConcurrencyLimits()];
  const ends: (() => void)[] = [];
  let [ids, status] = [0, 'wait' as StepResult['status']];
  const run = (step: BatchStep) =>
    new Promise<StepResult>((resolve) => {
      ends.push(() => resolve({ ...step, status }));
    });
  const take = limitSteps({ tenancy, clock, newId: () => String(++ids), running, open }, run);
  return {
    clock,
    take: (step: BatchStep) => take(step, clock.now()),
    begun: () => ends.length,
    end: (as: StepResult['status'] = 'wait') => {
      status = as;
      for (const end of ends.splice(0)) end();
    },
    /** Whether a further batch of the owner would be the first. */
    isFree: () => open.enter({ limit: 'owner-1', name: 'further', endsAt: clock.now() }, { max: 1, now: clock.now() }),
  };
}

it('two steps of an owner run at once, and a further one waits longer than the last time', async () => {
  const { take, begun, end } = aFunction('multi');
  const first = [take(aStep(1)), take(aStep(2))];
  const other = take(aStep(1, 'owner-2'));
  expect(await take(aStep(3))).toMatchObject({ status: 'wait', step: 5, waitSeconds: 12 });
  expect(begun()).toBe(3);
  end();
  await Promise.all([...first, other]);
  const next = take(aStep(3));
  await new Promise(setImmediate);
  expect(begun()).toBe(1);
  end();
  expect(await next).toMatchObject({ status: 'wait' });
});

it('the steps of a team do not wait for each other', async () => {
  const { take, begun, end } = aFunction('single');
  const all = [1, 2, 3].map((number) => take(aStep(number)));
  await new Promise(setImmediate);
  expect(begun()).toBe(3);
  end();
  await Promise.all(all);
});

it('a batch counts as one that has not ended until its last step, or for ten minutes after a crash', async () => {
  const { take, end, clock, isFree } = aFunction('multi');
  const finish = async (as: StepResult['status']) => {
    const taken = take(aStep(1));
    await new Promise(setImmediate);
    end(as);
    await taken;
  };
  await finish('wait');
  clock.pass(9 * 60_000);
  expect(await isFree()).toBe(false);
  await finish('done');
  expect(await isFree()).toBe(true);
  await finish('wait');
  clock.pass(10 * 60_000);
  expect(await isFree()).toBe(true);
});
