import { describe, expect, it } from 'vitest';
import { audioSeconds, frameTimes, ssim } from '../builders/measure/measure-video.ts';
import { clipWith, specialClip } from '../builders/media/clips.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

describe('clip', () => {
  it('cuts exactly between keyframes', async () => {
    const source = await clipWith();
    const output = await encodeOne(source, 'mp4', { name: 'clip', start: 0.52, end: 1.24 });
    expect(await frameTimes(output.path)).toHaveLength(18);
    const part = { path: source, filters: 'trim=start_frame=13:end_frame=31,setpts=PTS-STARTPTS' };
    expect(await ssim({ path: output.path }, part)).toBeGreaterThan(0.95);
    expect(Math.abs((await audioSeconds(output.path)) - 0.72)).toBeLessThan(1 / 25);
  });

  it('cuts a variable frame rate by timestamps', async () => {
    const source = await clipWith({ rate: 'variable' });
    const output = await encodeOne(source, 'mp4', { name: 'clip', start: 0.5, end: 1.7 });
    const kept = (await frameTimes(source)).filter((time) => time >= 0.5 && time < 1.7);
    const times = await frameTimes(output.path);
    expect(times).toHaveLength(kept.length);
    for (const [index, time] of times.entries())
      expect(time).toBeCloseTo((kept[index] ?? Number.NaN) - 0.5, 2);
  });

  it('cuts a broadcast exactly, which has no keyframe index', async () => {
    const source = await specialClip('broadcast');
    const output = await encodeOne(source, 'mp4', { name: 'clip', start: 0.52, end: 1.24 });
    expect(await frameTimes(output.path)).toHaveLength(18);
    const part = { path: source, filters: 'trim=start_frame=13:end_frame=31,setpts=PTS-STARTPTS' };
    expect(await ssim({ path: output.path }, part)).toBeGreaterThan(0.95);
  });

  it('runs to the end by default', async () => {
    const output = await encodeOne(await clipWith({ sound: 'none' }), 'webm', { name: 'clip', start: 1 });
    expect(await frameTimes(output.path)).toHaveLength(25);
  });

  it('cuts a rotated clip upright', async () => {
    const output = await encodeOne(await clipWith({ shape: 'portrait' }), 'mp4', { name: 'clip', start: 1 });
    const part = {
      path: await clipWith(),
      filters: 'trim=start_frame=25,setpts=PTS-STARTPTS,transpose=cclock',
    };
    expect(await ssim({ path: output.path }, part)).toBeGreaterThan(0.95);
  });
});
