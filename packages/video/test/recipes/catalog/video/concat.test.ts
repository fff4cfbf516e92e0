import { expect, it } from 'vitest';
import type { PendingPlan, Plan } from '../../../../src/encoding/plan.ts';
import type { Probe, VideoStream } from '../../../../src/media/probe/probe.ts';
import { planRecipe, recipeRequestSchema } from '../../../../src/recipes/registry.ts';
import { aProbe, aVideoStream } from '../../../builders/media/a-probe.ts';
import { outputLine } from '../../../builders/recipes/plan.ts';

function planOf([probe, ...others]: [Probe, ...Probe[]]): Plan | PendingPlan {
  const inputs = [probe, ...others].map((each, index) => ({ path: `/in-${index}`, probe: each }));
  const paths = { inputPath: '/in-0', outputDirectory: '/out', format: 'mp4' as const };
  return planRecipe(recipeRequestSchema.parse({ name: 'concat' }), { ...paths, probe, inputs });
}

/** The command that encodes the first clip of two. */
function firstClip(differences: Partial<VideoStream>): string {
  const plan = planOf([aProbe([aVideoStream(differences)]), aProbe()]);
  const [first] = 'measure' in plan ? plan.measure : [];
  if (first === undefined || !('outputArguments' in first)) throw new TypeError('Expected a command');
  return outputLine(first);
}

it.each<[string, Partial<VideoStream>, string]>([
  ['its constant rate', { framesPerSecond: 12.5, baseFramesPerSecond: 12.5 }, '12500/1000'],
  ['the rate of a camera', { framesPerSecond: 29.87, baseFramesPerSecond: 120 }, '30/1'],
  ['25, if it is a still screen most of the time', { framesPerSecond: 2.3, baseFramesPerSecond: 60 }, '25/1'],
  ['that of its fields', { framesPerSecond: 25, baseFramesPerSecond: 25, isInterlaced: true }, '50/1'],
])('the frame rate of joined videos follows from the first: %s', (_, video, rate) => {
  expect(firstClip(video)).toContain(`fps=${rate}`);
});

it('decodes the beginnings of twenty joined videos, at most four at once', async () => {
  const probe = aProbe([aVideoStream({})]);
  const encoded = aProbe([aVideoStream({})]);
  let plan = planOf([probe, ...Array.from({ length: 19 }, () => probe)]);
  while ('measure' in plan)
    plan = plan.decide(
      'frame= 250',
      plan.measure.map(() => ({ log: 'frame= 250', probe: encoded })),
    );
  const inputs = plan.copyCheck?.file.map((command) => command.inputs.length) ?? [];
  expect(Math.max(...inputs)).toBe(4);
  expect(inputs.reduce((sum, count) => sum + count, 0)).toBe(20);
});
