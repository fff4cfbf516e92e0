// @module-tag nightly
// @module-tag audio
// @module-tag streams
import type { recipeRequestSchema } from '@media-jobs/video/recipes';
import {
  anAudioWithFormatChanges,
  anEncoder,
  audioSamples,
  audioSeconds,
  aVideoWithAudioFormatChanges,
  bareFfprobe,
  encodeOne,
  generatedFile,
} from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { encodeAll } from '../builders/recipes/encode-all.ts';

const samplesPerSecond = 48_000;

/** A broadcast whose audio changes its format, and whose video starts 0.52 s after it. */
async function aLateVideo(): Promise<string> {
  const video = ['-itsoffset', '0.5', '-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=8'];
  const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'copy'];
  return generatedFile('late-video.ts', [...video, '-i', await anAudioWithFormatChanges(), ...encoding]);
}

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
    const files = await encodeAll(await aVideoWithAudioFormatChanges(), 'm3u8', { name: 'hls', maxHeight: 144 });
    const path = files.paths.get('audio') ?? '';
    const times = await packetTimes(path);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    for (const gap of gaps) expect(gap).toBeCloseTo(1024 / samplesPerSecond, 3);
  });

  it.each<[string, z.input<typeof recipeRequestSchema>, number]>([
    ['at another speed', { name: 'speed', factor: 2 }, 0.26],
    ['as loud as requested', { name: 'normalize-audio' }, 0.52],
  ])('is in sync %s with a video that starts later in a broadcast', async (_, recipe, startSeconds) => {
    const { path } = await encodeOne(await aLateVideo(), 'mp4', recipe);
    const { streams } = await anEncoder().probe(path);
    expect(streams.map(({ kind }) => kind)).toEqual(['video', 'audio']);
    // Within a frame: another speed has a grid of frames.
    expect(Math.abs((streams[0]?.startSeconds ?? 0) - startSeconds)).toBeLessThan(0.04);
    expect(streams[1]?.startSeconds).toBeCloseTo(0, 2);
  });

  it('is in sync in a stream of such a video, in each codec', async () => {
    const files = await encodeAll(await aLateVideo(), 'm3u8', {
      name: 'hls',
      codecs: ['h264', 'h265'],
      preset: 'ultrafast',
    });
    for (const name of ['90p', '90p-h265']) {
      const [video] = (await anEncoder().probe(files.paths.get(name) ?? '')).streams;
      // The first frame is shown from 0.
      expect(video?.durationSeconds, name).toBeCloseTo(8.52, 2);
    }
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
