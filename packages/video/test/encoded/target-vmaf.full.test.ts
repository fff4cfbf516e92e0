// @module-tag quality
import { describe, expect, it } from 'vitest';
import { measureVmaf } from '../builders/measure/measure-vmaf.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { unusualClip } from '../builders/media/unusual-clips.ts';
import { encodeOne } from '../builders/recipes/encode.ts';
import { plan } from '../builders/recipes/plan.ts';

/** Four frames with detail in motion, which a small file cannot keep: at display size they are large. */
function detail(): Promise<string> {
  const pattern = '-f lavfi -i testsrc2=size=320x180:rate=4:duration=1 -vf noise=alls=12:allf=t'.split(' ');
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '4', '-pix_fmt', 'yuv420p'];
  return generatedFile('detail.mp4', [...pattern, ...h264]);
}

describe('targetVmaf', () => {
  it('reaches its score with the highest crf, and reports the score of the finished file', async () => {
    const search = { name: 'compress', targetVmaf: 70, crf: 24, preset: 'ultrafast' } as const;
    const output = await encodeOne(await detail(), 'mp4', search);
    const { crf = 0, vmaf = 0, vmafP5 = 0 } = output.measurements ?? {};
    expect(vmaf).toBeGreaterThanOrEqual(70);
    expect(vmafP5).toBeLessThanOrEqual(vmaf);
    const coarser = await encodeOne(await detail(), 'mp4', { name: 'compress', crf: crf + 3, preset: 'ultrafast' });
    const display = { width: 1920, height: 1080 };
    expect(await measureVmaf(coarser.path, await detail(), display)).toBeLessThan(70);
  });

  it.each(['slides', 'pause'] as const)('is reached with %s, where no frame may start in a sample', async (kind) => {
    const search = { name: 'compress', targetVmaf: 80, preset: 'ultrafast' } as const;
    const { measurements } = await encodeOne(await unusualClip(kind), 'mp4', search);
    expect(measurements?.vmaf).toBeGreaterThan(70);
  });

  it('is rejected before encoding by a worker that cannot compare videos', async () => {
    expect(() => plan({ name: 'compress', targetVmaf: 90 }, 'mp4')).toThrow('use crf instead');
  });
});
