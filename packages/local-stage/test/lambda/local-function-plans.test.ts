import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { localFunctionPlans } from '../../src/lambda/local-function-plans.ts';
import type { FunctionPlan, StagePlan } from '../../src/template/stage-plan.ts';
import { aFunction } from '../builders/a-function.ts';

async function asRunHere(changes: Partial<FunctionPlan>, queueMappings: StagePlan['queueMappings'] = []) {
  const plan = await aFunction('', changes);
  const [here] = localFunctionPlans({ functions: [plan], queueMappings }, () => ({}));
  return { plan, here };
}

const anImage = { packageType: 'Image', directory: '/image', handler: 'encode-chunk.handler' } as const;

it('a function of a container image runs at most once per core', async () => {
  const { plan, here } = await asRunHere({ code: anImage });
  expect(here).toEqual({ ...plan, maxConcurrency: availableParallelism() });
});

it('a function of a queue is limited by its event source mapping', async () => {
  const mapping = { ScalingConfig: { MaximumConcurrency: 2 } } as StagePlan['queueMappings'][number]['mapping'];
  const { plan, here } = await asRunHere({ name: 'transcode', code: anImage }, [
    { queueArn: 'queue', functionName: 'transcode', visibilityTimeoutSeconds: 30, mapping },
  ]);
  expect(here).toEqual(plan);
});

it('a function of a bundle has no local limit', async () => {
  const { plan, here } = await asRunHere({});
  expect(here).toEqual(plan);
});
