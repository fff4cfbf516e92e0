// @module-tag sources
import { expect, it } from 'vitest';
import { clipWith } from '../builders/media/clips.ts';
import { anEncoder } from '../builders/recipes/encode.ts';
import { plan } from '../builders/recipes/plan.ts';

it('probe writes the displayed properties of the input as JSON without encoding', async () => {
  const inputPath = await clipWith({ shape: 'portrait', audio: 'several', subtitles: true });
  const planned = plan({ name: 'probe' }, 'json', await anEncoder().probe(inputPath));
  expect(planned.commands).toEqual([]);
  expect(planned.outputs).toMatchObject([{ filename: 'output.json' }]);
  const { durationSeconds, streams } = JSON.parse(planned.outputs[0]?.content ?? '');
  expect(Math.abs(durationSeconds - 2)).toBeLessThan(0.05);
  expect(streams).toMatchObject([
    {
      ...{ kind: 'video', width: 180, height: 320, rotation: expect.any(Number), isAttachedPicture: false },
      ...{ profile: expect.any(String), level: expect.stringMatching(/^\d\.\d$/), bitsPerSecond: expect.any(Number) },
      ...{ frames: 50, isVariableFrameRate: false },
    },
    { kind: 'audio', channels: expect.any(Number), channelLayout: expect.any(String), profile: 'LC' },
    { kind: 'audio' },
    { kind: 'subtitle' },
  ]);
});
