// @module-tag concat
// @module-tag audio
// @module-tag geometry
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { beeps, flashes, inputStartSeconds, maxDifference } from '../builders/measure/flashes-and-beeps.ts';
import { decodeFrameAt } from '../builders/measure/frame-at.ts';
import { audioSeconds, frameTimes, loudnessAt, ssim } from '../builders/measure/measure-video.ts';
import { bareFfmpeg } from '../builders/media/bare-ffmpeg.ts';
import { type ClipFeatures, flashAndBeep } from '../builders/media/clip-features.ts';
import { clipWith, specialClip } from '../builders/media/clips.ts';
import { truncatedClip, writeTestFile } from '../builders/media/hostile-files.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

/** Clips of 2 s that differ from their neighbours in every property that a join normalizes. */
const unlike: ClipFeatures[] = [
  {},
  { shape: 'portrait', rate: 'variable' },
  { audio: 'none' },
  { colour: 'hdr', audio: 'several' },
  { shape: 'odd', subtitles: true },
  { rate: 'variable', audio: 'none' },
];

describe('joined videos', () => {
  it.each(['mp4', 'webm'] as const)('of every kind stay in sync: %s', async (format) => {
    const inputs = await Promise.all(unlike.map((features) => clipWith({ ...features, marks: true })));
    const { path, probe } = await encodeOne(sourceOf(inputs), format, { name: 'concat' });
    const frame = 1 / 25;
    const begins = await inputStartSeconds(inputs);
    const total = begins.at(-1) ?? 0;
    expect(Math.abs((probe.durationSeconds ?? 0) - total)).toBeLessThanOrEqual(frame);
    expect(probe.streams).toMatchObject([
      { width: 320, height: 180, bitDepth: 8, framesPerSecond: expect.closeTo(25, 1) },
      { channels: 2, sampleRateHz: 48_000 },
    ]);
    const expected = begins.slice(0, -1).map((begin) => begin + flashAndBeep.at);
    const audible = expected.filter((__, index) => unlike[index]?.audio !== 'none');
    const [flashTimes, beepTimes] = await Promise.all([flashes(path), beeps(path)]);
    expect(maxDifference(flashTimes, expected)).toBeLessThanOrEqual(frame);
    expect(maxDifference(beepTimes, audible)).toBeLessThanOrEqual(frame);
  });

  it('have every frame at a constant rate', async () => {
    const inputs = [await clipWith(), await clipWith({ rate: 'variable' })];
    const { path } = await encodeOne(sourceOf(inputs), 'mp4', { name: 'concat', fps: 29.97 });
    const times = await frameTimes(path);
    expect(times).toHaveLength(Math.round((((await inputStartSeconds(inputs)).at(-1) ?? 0) * 30_000) / 1001));
    for (const [index, time] of times.entries()) expect(time).toBeCloseTo((index * 1001) / 30_000, 4);
  });

  it('look like their sources', async () => {
    const inputs = [await clipWith(), await clipWith({ shape: 'portrait' }), await clipWith({ colour: 'hdr' })];
    const request = { name: 'concat', width: 320, height: 320 } as const;
    const { path } = await encodeOne(sourceOf(inputs), 'mkv', request);
    const source = await clipWith();
    const part = (index: number) => `trim=start=${index * 2}:end=${index * 2 + 1.99},setpts=PTS-STARTPTS`;
    const look = (index: number, crop: string, filters = 'null') =>
      ssim({ path, filters: `${part(index)},${crop}` }, { path: source, filters });
    expect(await look(0, 'crop=320:180')).toBeGreaterThan(0.95);
    expect(await look(1, 'crop=180:320', 'transpose=cclock')).toBeGreaterThan(0.95);
    expect(await look(2, 'crop=320:180')).toBeGreaterThan(0.6);
  });

  it('have the same colors, whatever the color matrix of a source', async () => {
    const directory = await aTemporaryFolder();
    const inputs = await Promise.all(
      ['bt709', 'smpte170m'].map(async (matrix) => {
        const path = join(directory, `${matrix}.mp4`);
        const filters = `scale=out_color_matrix=${matrix},format=yuv420p,setparams=colorspace=${matrix}`;
        const green = ['-f', 'lavfi', '-i', 'color=0x20c040:size=320x180:rate=25:duration=1'];
        await bareFfmpeg([...green, '-vf', filters, '-c:v', 'libx264', path]);
        return path;
      }),
    );
    const { path } = await encodeOne(sourceOf(inputs), 'mp4', { name: 'concat' });
    for (const at of [0.5, 1.5]) {
      const [red = 0, green = 0, blue = 0] = (await decodeFrameAt(path, at)).colour(160, 90);
      expect([Math.abs(red - 0x20), Math.abs(green - 0xc0), Math.abs(blue - 0x40)].every((far) => far < 6)).toBe(true);
    }
  });

  it('fill the frame with cover', async () => {
    const inputs = [await clipWith({ audio: 'none' }), await clipWith({ shape: 'portrait', audio: 'none' })];
    const output = await encodeOne(sourceOf(inputs), 'mov', { name: 'concat', fit: 'cover' });
    expect(output.probe.streams).toMatchObject([{ kind: 'video', width: 320, height: 180 }]);
    const filters = 'trim=start=2:end=3.99,setpts=PTS-STARTPTS';
    const upright = 'transpose=cclock,scale=320:568:flags=bicubic,crop=320:180';
    expect(await ssim({ path: output.path, filters }, { path: await clipWith(), filters: upright })).toBeGreaterThan(
      0.9,
    );
  });

  it('stay in sync if audio starts late, ends early, or outlasts the video', async () => {
    const source = await clipWith({ marks: true });
    const directory = await aTemporaryFolder();
    const audioTracks: [name: string, args: string[]][] = [
      ['late.mkv', ['-af', 'atrim=start=0.7', '-c:a', 'flac']],
      ['short.mp4', ['-af', 'atrim=end=1.2', '-c:a', 'aac']],
      ['long.mov', ['-af', 'apad=whole_dur=3', '-c:a', 'pcm_s16le']],
      ['late.ts', ['-af', 'atrim=start=0.4', '-c:a', 'mp2']],
      ['gap.mkv', ['-af', "aselect='not(between(t,0.3,0.6))'", '-c:a', 'pcm_s16le', '-ar', '44100', '-ac', '1']],
    ];
    const inputs = await Promise.all(
      audioTracks.map(async ([name, args]) => {
        const path = join(directory, name);
        await bareFfmpeg(['-i', source, '-c:v', 'copy', ...args, path]);
        return path;
      }),
    );
    const { path } = await encodeOne(sourceOf(inputs), 'mp4', { name: 'concat' });
    const expected = inputs.map((_, index) => index * 2 + flashAndBeep.at);
    const [flashTimes, beepTimes] = await Promise.all([flashes(path), beeps(path)]);
    expect(maxDifference(flashTimes, expected)).toBeLessThanOrEqual(1 / 25);
    expect(maxDifference(beepTimes, expected)).toBeLessThanOrEqual(1 / 25);
    expect(Math.abs((await audioSeconds(path)) - 10)).toBeLessThan(0.05);
  });

  it('stay in sync if an unused track of a broadcast starts earlier', async () => {
    const source = await clipWith({ marks: true });
    const directory = await aTemporaryFolder();
    const early = join(directory, 'early.ts');
    const tracks = ['-itsoffset', '0.5', '-i', source, '-i', source, '-map', '0', '-map', '1:a'];
    await bareFfmpeg([...tracks, '-c:v', 'copy', '-c:a', 'mp2', early]);
    const { path } = await encodeOne(sourceOf([early, source]), 'mp4', { name: 'concat' });
    const expected = [0, 1].map((index) => index * 2 + flashAndBeep.at);
    const [flashTimes, beepTimes] = await Promise.all([flashes(path), beeps(path)]);
    expect(maxDifference(flashTimes, expected)).toBeLessThanOrEqual(1 / 25);
    expect(maxDifference(beepTimes, expected)).toBeLessThanOrEqual(1 / 25);
  });

  it('play mono from both loudspeakers at its full level', async () => {
    const source = await clipWith();
    const { path, probe } = await encodeOne(sourceOf([source, source]), 'mp4', { name: 'concat' });
    expect(probe.streams[1]).toMatchObject({ channels: 2 });
    expect(Math.abs((await loudnessAt(path, 440)) - (await loudnessAt(source, 440)))).toBeLessThan(1);
  });

  it('may have non-square pixels, interlaced fields, and no declared duration', async () => {
    const inputs = await Promise.all((['anamorphic', 'interlaced', 'recording'] as const).map(specialClip));
    const { probe, path } = await encodeOne(sourceOf(inputs), 'mp4', { name: 'concat' });
    expect(probe.streams[0]).toMatchObject({ width: 320, height: 180, isInterlaced: false });
    expect((await frameTimes(path)).length).toBeGreaterThanOrEqual(149);
    const filters = 'trim=end=1.99';
    expect(await ssim({ path, filters }, { path: await clipWith(), filters })).toBeGreaterThan(0.85);
  });
});

describe('an input that cannot be joined', () => {
  it('is named by its index if it is truncated', async () => {
    const inputs = [
      await clipWith(),
      await writeTestFile(await aTemporaryFolder(), 'cut.mp4', await truncatedClip(0.5)),
    ];
    await expect(encodeOne(sourceOf(inputs), 'mp4', { name: 'concat' })).rejects.toMatchObject({
      code: 'TRANSCODE_ERROR',
      message: expect.stringMatching(
        /^inputs\.1: Only [\d.]+ s of 2\.00 s could be read; the input is probably damaged/,
      ),
    });
  });

  it.each([
    ['has no video stream', 'audioOnly', 'inputs.1: This recipe needs a video stream'],
    ['is a still image', 'stillImage', 'inputs.1: This recipe needs a video'],
  ] as const)('is named by its index if it %s', async (_, kind, message) => {
    const inputs = [await clipWith(), await specialClip(kind)];
    await expect(encodeOne(sourceOf(inputs), 'mp4', { name: 'concat' })).rejects.toMatchObject({
      code: 'INPUT_UNSUPPORTED',
      message: expect.stringContaining(message),
    });
  });
});

function sourceOf(inputs: string[]) {
  return { inputs: inputs as [string, ...string[]] };
}
