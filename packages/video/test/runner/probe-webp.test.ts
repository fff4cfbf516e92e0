import { stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { generatedFile } from '../builders/media/generated-file.ts';
import { anEncoder } from '../builders/recipes/encode.ts';

it('the size and the duration of an animated WebP of several blocks are read from the whole file', async () => {
  const noise = ['-f', 'lavfi', '-i', 'color=gray:s=320x180:r=10:d=2,noise=alls=100:allf=t'];
  const path = await generatedFile('noise.webp', [...noise, '-c:v', 'libwebp_anim', '-lossless', '1']);
  expect((await stat(path)).size).toBeGreaterThan(1_000_000);
  const { durationSeconds, streams } = await anEncoder().probe(path);
  expect(durationSeconds).toBeCloseTo(2);
  expect(streams[0]).toMatchObject({ width: 320, height: 180 });
});
