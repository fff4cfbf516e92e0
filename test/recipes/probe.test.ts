import { expect, it } from 'vitest';
import { planRecipe, recipeRequestSchema } from '../../core/recipes/registry.ts';
import { clipWith } from '../builders/clips.ts';
import { anEncoder } from '../builders/encode.ts';

it('writes down as JSON what the input is, as a person sees it, without encoding anything', async () => {
  const inputPath = await clipWith({ shape: 'portrait', sound: 'several', subtitles: true });
  const plan = planRecipe(recipeRequestSchema.parse({ name: 'probe' }), {
    probe: await anEncoder().probe(inputPath),
    format: 'json',
    inputPath,
    outputDirectory: '/nowhere',
  });
  expect(plan.commands).toEqual([]);
  expect(plan.outputs).toMatchObject([{ filename: 'output.json', mimeType: 'application/json' }]);
  const { durationSeconds, streams } = JSON.parse(plan.outputs[0]?.content ?? '');
  expect(Math.abs(durationSeconds - 2)).toBeLessThan(0.05);
  expect(streams).toMatchObject([
    { kind: 'video', width: 180, height: 320, rotation: expect.any(Number), isAttachedPicture: false },
    { kind: 'audio', channels: expect.any(Number) },
    { kind: 'audio' },
    { kind: 'subtitle' },
  ]);
});
