import { expect, it } from 'vitest';
import { compareFiles } from '../../../scripts/reproduce/compare-files.ts';
import { generatedFile } from '../../builders/media/generated-file.ts';
import { anEncoder } from '../../builders/recipes/encode.ts';

const clip = (name: string, ...output: string[]) =>
  generatedFile(name, [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=10:duration=1', '-pix_fmt', 'yuv420p'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', ...output],
  ]);

it('a file that was made again has the same bytes, the same frames, or differs by a figure', async () => {
  const original = await clip('compared.mp4');
  const encoder = anEncoder();
  const compared = async (made: string) => compareFiles(encoder, { made, original });
  expect(await compared(original)).toEqual({ result: 'same bytes', bytes: expect.any(Number) });
  const retagged = await clip('compared-title.mp4', '-metadata', 'title=Other bytes');
  expect(await compared(retagged)).toEqual({ result: 'same frames', frames: 10 });
  const coarser = await compared(await clip('compared-coarse.mp4', '-crf', '50'));
  expect(coarser).toMatchObject({ result: 'different', frames: 10, differentFrames: 10 });
  expect('ssim' in coarser && coarser.ssim).toBeLessThan(0.99);
});
