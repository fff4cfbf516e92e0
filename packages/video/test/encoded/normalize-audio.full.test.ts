// @module-tag audio
import { describe, expect, it } from 'vitest';
import { readLoudness } from '../../src/media/filters/loudness.ts';
import type { Format } from '../../src/media/formats.ts';
import { audioSeconds, frameTimes } from '../builders/measure/measure-video.ts';
import { anAudioWithFormatChanges } from '../builders/media/audio-format-changes.ts';
import { bareFfmpeg } from '../builders/media/bare-ffmpeg.ts';
import { cachedFile } from '../builders/media/cached-file.ts';
import { clipWith } from '../builders/media/clips.ts';
import { lateTrack } from '../builders/media/late-track.ts';
import { type LoudnessClip, loudnessClip } from '../builders/media/loudness-clips.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

/** Audio that ffmpeg generates. */
function made(name: string, args: string[]): Promise<string> {
  return cachedFile({ name, recipe: args }, (path) => bareFfmpeg(['-f', 'lavfi', '-i', ...args, path]));
}

/** Soft and loud in turns, with noise below: 6 s of it in `channels` channels. */
function aSpeaker(volume: string, channels = 2): Promise<string> {
  const speech = `aevalsrc=exprs='(0.15+0.1*sin(3*t))*sin(1400*t)+0.02*(random(0)-0.5)':s=48000:d=6`;
  return made('speaker.wav', [speech, '-af', `volume=${volume}`, '-ac', String(channels)]);
}

type Figures = { lufs: number; rangeLu: number; truePeakDbtp: number };

/** What a listener gets, by ebur128: mono is heard from two speakers. */
async function loudness(path: string): Promise<Figures> {
  const filter = 'ebur128=peak=true:dualmono=true';
  const log = await bareFfmpeg(['-i', path, '-map', '0:a:0', '-af', filter, '-f', 'null', '-']);
  const summary = log.slice(log.lastIndexOf('Summary:'));
  const [lufs, rangeLu, truePeakDbtp] = [/ I: +(\S+) LUFS/, /LRA: +(\S+) LU/, /Peak: +(\S+) dBFS/].map((pattern) =>
    Number(pattern.exec(summary)?.[1]),
  ) as [number, number, number];
  return { lufs, rangeLu, truePeakDbtp };
}

async function loudnessOf(path: string): Promise<number> {
  return (await loudness(path)).lufs;
}

describe('normalize-audio', () => {
  it('normalizes a track that starts later than it lasts, by more than a minute', async () => {
    const { path } = await encodeOne(await lateTrack(), 'mp4', { name: 'normalize-audio' });
    expect(await loudnessOf(path)).toBeCloseTo(-16, 0);
  });

  it.each<[LoudnessClip, Format, number]>([
    ['voice', 'm4a', -12],
    ['quietVoiceWithClick', 'opus', -16],
    ['monoVoice', 'mp3', -16],
    ['surroundVoice', 'flac', -18],
    ['music', 'm4a', -13],
    ['drums', 'mp3', -25],
    ['clipped', 'wav', -23],
  ])('keeps the dynamics of %s in %s at %d LUFS, below the true peak', async (clip, format, targetLufs) => {
    const source = await loudnessClip(clip);
    const before = await loudness(source);
    const after = await loudness((await encodeOne(source, format, { name: 'normalize-audio', targetLufs })).path);
    expect(Math.abs(after.lufs - targetLufs)).toBeLessThan(0.5);
    expect(after.truePeakDbtp).toBeLessThanOrEqual(-1.5);
    expect(Math.abs(after.rangeLu - before.rangeLu)).toBeLessThan(1);
  });

  it.each<[string, string, Format, number, number]>([
    ['a soft voice for a podcast', '-20dB', 'm4a', -16, 2],
    ['a loud voice for television', '6dB', 'mp3', -23, 2],
    ['surround mixed down to stereo', '-10dB', 'opus', -18, 6],
    ['surround that stays surround', '-10dB', 'flac', -18, 6],
  ])('normalizes %s to the target loudness', async (name, volume, format, targetLufs, channels) => {
    const source = await aSpeaker(volume, channels);
    const output = await encodeOne(source, format, { name: 'normalize-audio', targetLufs });
    expect(Math.abs((await loudnessOf(output.path)) - targetLufs), name).toBeLessThan(0.5);
    const [stream] = output.probe.streams;
    expect(stream).toMatchObject({ kind: 'audio', sampleRateHz: 48_000, channels: format === 'flac' ? 6 : 2 });
  });

  it.each<[number, Format]>([
    [0.3, 'flac'],
    [0.7, 'm4a'],
    [0.9, 'mp3'],
  ])('removes a DC offset of %d that would keep the audio from the target, in %s', async (offset, format) => {
    const speech = `aevalsrc=exprs='0.5*(0.15+0.1*sin(3*t))*sin(1400*t)+${offset}':s=48000:d=6`;
    const source = await made(`offset-${offset}.wav`, [speech, '-ac', '2']);
    const before = await loudness(source);
    const output = await encodeOne(source, format, { name: 'normalize-audio' });
    const after = await loudness(output.path);
    expect(Math.abs(after.lufs + 16)).toBeLessThan(0.5);
    expect(after.truePeakDbtp).toBeLessThanOrEqual(-1.5);
    expect(output.measurements).toMatchObject({ inputLufs: before.lufs, inputTruePeak: before.truePeakDbtp });
  });

  it('copies the video, frame for frame', async () => {
    const source = await clipWith();
    const output = await encodeOne(source, 'mp4', { name: 'normalize-audio', targetLufs: -20 });
    expect(await frameTimes(output.path)).toEqual(await frameTimes(source));
    expect(Math.abs((await loudnessOf(output.path)) + 20)).toBeLessThan(0.5);
  });

  it('attenuates audio above 0 LUFS', async () => {
    const square = "aevalsrc=exprs='if(gt(sin(6283*t),0),1,-1)':s=48000:d=4";
    const source = await made('square.wav', [square, '-ac', '2', '-af', 'pan=stereo|c0=c0|c1=c0']);
    expect(await loudnessOf(source)).toBeGreaterThan(0);
    const output = await encodeOne(source, 'mp3', { name: 'normalize-audio', targetLufs: -16 });
    expect(Math.abs((await loudnessOf(output.path)) + 16)).toBeLessThan(0.5);
  });

  it.each<[Format, number]>([
    ['m4a', 2],
    ['flac', 2],
  ])('measures all of a track whose channels change, in %s', async (format, channels) => {
    const output = await encodeOne(await anAudioWithFormatChanges(), format, { name: 'normalize-audio' });
    expect(Math.abs((await loudnessOf(output.path)) + 16)).toBeLessThan(0.5);
    expect(Math.abs((await audioSeconds(output.path)) - 9)).toBeLessThan(0.1);
    expect(output.probe.streams).toMatchObject([{ channels }]);
  });

  it('reports the loudness of the input and of the output', async () => {
    const output = await encodeOne(await aSpeaker('-20dB'), 'mp3', { name: 'normalize-audio' });
    const input = await loudness(await aSpeaker('-20dB'));
    const finished = await loudness(output.path);
    expect(output.measurements).toEqual({
      inputLufs: input.lufs,
      inputTruePeak: input.truePeakDbtp,
      inputLoudnessRange: input.rangeLu,
      outputLufs: finished.lufs,
      outputTruePeak: finished.truePeakDbtp,
      outputLoudnessRange: finished.rangeLu,
    });
  });

  it.each<[Format, number]>([
    ['wav', 0.1],
    ['m4a', 0.3],
  ])('normalizes audio in %s of %d s, shorter than a block of the measurement', async (format, seconds) => {
    const source = await made('click.wav', [`sine=sample_rate=44100:duration=${seconds}`]);
    const { path, measurements } = await encodeOne(source, format, { name: 'normalize-audio', targetLufs: -24 });
    const log = await bareFfmpeg(['-i', path, ...'-af apad=whole_dur=0.4,ebur128=dualmono=true -f null -'.split(' ')]);
    const measured = Number(/[\s\S]* I: +(\S+) LUFS/.exec(log)?.[1]);
    expect(Math.abs(measured + 24)).toBeLessThan(0.5);
    expect(measurements?.inputLufs).toBeCloseTo(-18.8 + 10 * Math.log10(seconds / 0.4), 0);
  });

  it('keeps silence silent', async () => {
    const source = await made('silence.wav', ['anullsrc=r=44100:cl=stereo', '-t', '2']);
    const output = await encodeOne(source, 'wav', { name: 'normalize-audio' });
    expect(await loudnessOf(output.path)).toBe(-70);
  });
});

it('a log without loudness measurements is an error', () => {
  expect(() => readLoudness('[info] nothing here')).toThrow('The log of ffmpeg has no loudness');
});
