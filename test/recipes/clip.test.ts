import { describe, expect, it } from 'vitest';
import { clipWith } from '../builders/clips.ts';
import { encodeOne } from '../builders/encode.ts';
import { frameTimes, soundSeconds, ssim } from '../builders/judge-media.ts';

describe('clip', () => {
  it('cuts exactly between keyframes: these frames and no others', async () => {
    const source = await clipWith();
    const output = await encodeOne(source, 'mp4', { name: 'clip', start: 0.52, end: 1.24 });
    expect(await frameTimes(output.path)).toHaveLength(18);
    const part = { path: source, filters: 'trim=start_frame=13:end_frame=31,setpts=PTS-STARTPTS' };
    expect(await ssim({ path: output.path }, part)).toBeGreaterThan(0.95);
    expect(Math.abs((await soundSeconds(output.path)) - 0.72)).toBeLessThan(1 / 25);
  });

  it('runs to the end where none is given', async () => {
    const output = await encodeOne(await clipWith({ sound: 'none' }), 'webm', { name: 'clip', start: 1 });
    expect(await frameTimes(output.path)).toHaveLength(25);
  });

  it('cuts a turned clip upright', async () => {
    const output = await encodeOne(await clipWith({ shape: 'portrait' }), 'mp4', { name: 'clip', start: 1 });
    const part = {
      path: await clipWith(),
      filters: 'trim=start_frame=25,setpts=PTS-STARTPTS,transpose=cclock',
    };
    expect(await ssim({ path: output.path }, part)).toBeGreaterThan(0.95);
  });
});
