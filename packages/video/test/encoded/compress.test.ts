// @module-tag quality
// @module-tag geometry
import { stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { audioSeconds, frameTimes, loudnessAt, ssim } from '../builders/measure/measure-video.ts';
import { clipWith, specialClip } from '../builders/media/clips.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

const frame = 1 / 25;

describe('compress', () => {
  it('makes a smaller file that looks and lasts the same', async () => {
    const source = await clipWith();
    const output = await encodeOne(source, 'mp4', { name: 'compress', crf: 28 });
    expect((await stat(output.path)).size).toBeLessThan((await stat(source)).size / 2);
    expect(await ssim({ path: output.path }, { path: source })).toBeGreaterThan(0.9);
    expect(await frameTimes(output.path)).toEqual(await frameTimes(source));
    expect(Math.abs((await audioSeconds(output.path)) - 2)).toBeLessThan(frame);
    expect(output.probe.streams).toMatchObject([
      { kind: 'video', codec: 'h264', pixelFormat: 'yuv420p', framesPerSecond: 25 },
      { kind: 'audio', codec: 'aac' },
    ]);
  });

  it('keeps the aspect ratio within the given size', async () => {
    const output = await encodeOne(await clipWith(), 'mov', { name: 'compress', maxWidth: 200, maxHeight: 200 });
    expect(output.probe.streams[0]).toMatchObject({ width: 200, height: 112 });
  });

  it('rotates a portrait clip upright', async () => {
    const output = await encodeOne(await clipWith({ shape: 'portrait' }), 'mp4', { name: 'compress', crf: 18 });
    expect(output.probe.streams[0]).toMatchObject({ width: 180, height: 320, rotation: 0 });
    const upright = { path: await clipWith(), filters: 'transpose=cclock' };
    expect(await ssim({ path: output.path }, upright)).toBeGreaterThan(0.95);
  });

  // The levels are measured in hdr-levels.test.ts.
  it('converts HDR to SDR with correct colors', async () => {
    const output = await encodeOne(await clipWith({ colour: 'hdr' }), 'mp4', { name: 'compress', crf: 18 });
    expect(output.probe.streams[0]).toMatchObject({ pixelFormat: 'yuv420p', bitDepth: 8 });
    expect(output.probe.streams[0]).toMatchObject({ hdrTransfer: undefined });
    const shown = { path: await clipWith() };
    const untreated = { path: await clipWith({ colour: 'hdr' }), filters: 'format=yuv420p' };
    const colours = 'extractplanes=u';
    expect(await ssim({ path: output.path, filters: colours }, { ...shown, filters: colours })).toBeGreaterThan(
      await ssim({ ...untreated, filters: `format=yuv420p,${colours}` }, { ...shown, filters: colours }),
    );
  });

  it('keeps every frame of a variable frame rate at its timestamp', async () => {
    const source = await clipWith({ rate: 'variable' });
    const output = await encodeOne(source, 'mp4', { name: 'compress' });
    const [before, after] = await Promise.all([frameTimes(source), frameTimes(output.path)]);
    expect(after).toHaveLength(before.length);
    for (const [index, time] of after.entries()) expect(time).toBeCloseTo(before[index] ?? Number.NaN, 3);
  });

  it('uses the default of several audio tracks', async () => {
    const output = await encodeOne(await clipWith({ audio: 'several' }), 'mp4', { name: 'compress' });
    expect(output.probe.streams.filter(({ kind }) => kind === 'audio')).toMatchObject([{ language: 'fra' }]);
    expect(await loudnessAt(output.path, 1760)).toBeGreaterThan((await loudnessAt(output.path, 440)) + 20);
  });

  it('makes an odd size even', async () => {
    const output = await encodeOne(await clipWith({ shape: 'odd' }), 'mp4', { name: 'compress' });
    expect(output.probe.streams[0]).toMatchObject({ width: 322, height: 182, pixelFormat: 'yuv420p' });
  });

  it('scales anamorphic pixels to square ones', async () => {
    const output = await encodeOne(await specialClip('anamorphic'), 'mp4', { name: 'compress', crf: 18 });
    expect(output.probe.streams[0]).toMatchObject({ width: 320, height: 180, pixelAspect: 1 });
    expect(await ssim({ path: output.path }, { path: await clipWith() })).toBeGreaterThan(0.9);
  });

  it("accepts a browser's recording of a screen on which nothing changed before the audio ended", async () => {
    const [video, audio] = ['testsrc2=size=64x36:rate=25:duration=1', 'sine=duration=3'];
    const codecs = ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus', '-live', '1'];
    const args = ['-f', 'lavfi', '-i', video, '-f', 'lavfi', '-i', audio, ...codecs];
    const output = await encodeOne(await generatedFile('ends-still.webm', args), 'mp4', { name: 'compress' });
    expect(output.probe.durationSeconds).toBeCloseTo(3, 1);
  });

  it("accepts a browser's recording without a duration", async () => {
    const output = await encodeOne(await specialClip('recording'), 'mp4', { name: 'compress' });
    expect(output.probe.durationSeconds).toBeCloseTo(2, 1);
  });
});
