import { describe, expect, it } from 'vitest';
import { audioSamples } from '../builders/measure/measure-audio.ts';
import { audioSeconds } from '../builders/measure/measure-video.ts';
import { aVideoWithAudioFormatChanges } from '../builders/media/audio-format-changes.ts';
import { bareFfprobe } from '../builders/media/bare-ffmpeg.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { encodeOne } from '../builders/recipes/encode.ts';
import { encodeAll } from '../builders/recipes/encode-all.ts';

const samplesPerSecond = 48_000;

/** The loudness of a track in dB, in each of `parts` sections of equal length. */
async function levels(path: string, parts: number): Promise<number[]> {
  const samples = await audioSamples(path);
  const length = Math.floor(samples.length / parts);
  return Array.from({ length: parts }, (_, part) => {
    // Without the seams, where encoders settle.
    const kept = samples.subarray((part + 0.2) * length, (part + 0.8) * length);
    return 10 * Math.log10(kept.reduce((sum, sample) => sum + sample * sample, 0) / kept.length);
  });
}

async function packetTimes(path: string): Promise<number[]> {
  const lines = await bareFfprobe(['-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path]);
  return lines.map((line) => Number.parseFloat(line));
}

describe('audio whose channels change within the track', () => {
  it('is complete at another speed', async () => {
    const source = await aVideoWithAudioFormatChanges();
    const { path } = await encodeOne(source, 'mp4', { name: 'speed', factor: 2 });
    expect(Math.abs((await audioSeconds(path)) - 4.5)).toBeLessThan(0.1);
    for (const level of await levels(path, 9)) expect(level).toBeGreaterThan(-50);
  });

  it('is continuous across the segments of a stream', async () => {
    const files = await encodeAll(await aVideoWithAudioFormatChanges(), 'm3u8', {
      name: 'hls',
      maxHeight: 144,
    });
    const path = files.paths.get('audio') ?? '';
    const times = await packetTimes(path);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    for (const gap of gaps) expect(gap).toBeCloseTo(1024 / samplesPerSecond, 3);
    await files.remove();
  });

  it('is complete and in sync in each clip of a joined video', async () => {
    const video = await aVideoWithAudioFormatChanges();
    const { path } = await encodeOne({ inputs: [video, video] }, 'mp4', { name: 'concat' });
    expect(Math.abs((await audioSeconds(path)) - 18)).toBeLessThan(0.1);
    const measured = await levels(path, 18);
    expect((await audioSamples(path)).length / samplesPerSecond).toBeCloseTo(18, 0);
    for (const [second, level] of measured.entries()) {
      expect(level, `at ${second} s`).toBeGreaterThan(-50);
      expect(Math.abs(level - (measured[(second + 9) % 18] ?? 0)), `at ${second} s`).toBeLessThan(1);
    }
  });

  it('is as loud in 5.1 as in stereo', async () => {
    const tone = ['-f', 'lavfi', '-i', 'aevalsrc=0.05*sin(2764*t)|0.05*sin(2764*t):d=3:s=48000'];
    const surround = ['-af', 'pan=5.1|FL=c0|FR=c1|FC=0*c0|LFE=0*c0|BL=0*c0|BR=0*c0'];
    const ac3 = ['-c:a', 'ac3', '-b:a', '448k', '-f', 'mpegts'];
    const parts = [await generatedFile('stereo.ts', [...tone, ...ac3])];
    parts.push(await generatedFile('surround.ts', [...tone, ...surround, ...ac3]));
    const source = await generatedFile('both.ts', ['-i', `concat:${parts.join('|')}`, '-c', 'copy']);
    const { path } = await encodeOne(source, 'mp3', { name: 'normalize-audio', targetLufs: -20 });
    const [stereo = 0, fiveOne = 0] = await levels(path, 2);
    expect(Math.abs(stereo - fiveOne)).toBeLessThan(1);
  });
});
