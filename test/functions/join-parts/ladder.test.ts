import { expect, it } from 'vitest';
import { aPartsStage, clipUrl } from '../../builders/a-parts-stage.ts';
import { chunkSource } from '../../builders/chunk-sources.ts';
import { encode } from '../../builders/encode.ts';
import { expectSameFile } from '../../builders/expect-as-one-pass.ts';
import { handedOver } from '../../builders/in-parts.ts';

it('makes of parts that hold a chunk in two sizes each the two renditions of one pass', async () => {
  const source = await chunkSource('openGop', { pixels: '320x180' });
  const recipe = { name: 'renditions' as const, heights: [180, 144] };
  const stage = await aPartsStage();
  const job = await handedOver(stage, {
    ...{ mode: 'recipe', input: { url: clipUrl(source) }, output: { format: 'mp4' } },
    ...{ recipe, speed: 'fast' },
  });
  await job.encodeAll();
  expect(await job.join()).toBe('completed');
  const { jobId } = await job.job();
  const single = await encode(source, 'mp4', recipe);
  expect(await stage.keys('')).toEqual(['144p', '180p'].map((name) => `jobs/${jobId}/1/${name}.mp4`));
  for (const { filename, path } of single) {
    await expectSameFile(await stage.fetch(`jobs/${jobId}/1/${filename}`), path);
  }
  expect(stage.unexpected).toEqual([]);
});
