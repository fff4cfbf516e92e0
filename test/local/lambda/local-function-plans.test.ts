import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { localFunctionPlans } from '../../../local/lambda/local-function-plans.ts';
import type { FunctionPlan, StagePlan } from '../../../local/template/stage-plan.ts';
import { aFunction } from '../builders/a-function.ts';

async function asRunHere(changes: Partial<FunctionPlan>, queueMappings: StagePlan['queueMappings'] = []) {
  const plan = await aFunction('', changes);
  const [here] = localFunctionPlans({ functions: [plan], queueMappings }, {});
  return { plan, here };
}

const anImage = { packageType: 'Image', directory: '/image', handler: 'encode-chunk.handler' } as const;

it('a function of an image runs as often at once as there are cores', async () => {
  const { plan, here } = await asRunHere({ code: anImage });
  expect(here).toEqual({ ...plan, atOnce: availableParallelism() });
});

it('a function that a queue feeds runs as often as the queue says', async () => {
  const mapping = {
    ScalingConfig: { MaximumConcurrency: 2 },
  } as StagePlan['queueMappings'][number]['mapping'];
  const { plan, here } = await asRunHere({ name: 'transcode', code: anImage }, [
    { queueArn: 'queue', functionName: 'transcode', mapping },
  ]);
  expect(here).toEqual(plan);
});

it('a function of a bundle runs as often at once as Lambda lets it', async () => {
  const { plan, here } = await asRunHere({});
  expect(here).toEqual(plan);
});
