import { expect, it } from 'vitest';
import { clipWith } from '../builders/clips.ts';
import { encodeOne } from '../builders/encode.ts';
import { ssim } from '../builders/judge-media.ts';

it.each(['mobius', 'hable', 'reinhard'] as const)(
  'brings HDR near the picture it was made from, by %s',
  async (curve) => {
    const source = await clipWith({ colour: 'hdr' });
    const output = await encodeOne(source, 'mp4', { name: 'hdr-to-sdr', curve });
    expect(output.probe.streams[0]).toMatchObject({ bitDepth: 8 });
    expect(output.probe.streams[0]).not.toHaveProperty('hdrTransfer');
    expect(await ssim({ path: output.path }, { path: await clipWith() })).toBeGreaterThan(0.6);
  },
);

it('refuses an input that is in standard range already', async () => {
  await expect(encodeOne(await clipWith(), 'mp4', { name: 'hdr-to-sdr' })).rejects.toThrow(
    'in standard dynamic range already',
  );
});
