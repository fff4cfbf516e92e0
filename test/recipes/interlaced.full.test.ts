// @module-tag timing
import { inputLimitsSchema, validateProbe } from '@media-jobs/video/probe';
import {
  anEncoder,
  clipWithLateFields,
  encode,
  encodeOne,
  frameTimes,
  generatedFile,
  mpeg2Scene,
  specialClip,
  ssim,
} from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { encodeAll } from '../builders/recipes/encode-all.ts';

const progressive = () =>
  generatedFile('progressive.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=50:duration=2'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '4', '-pix_fmt', 'yuv420p'],
  ]);

function expectConstantRate(times: readonly number[], fps: number): void {
  for (const [index, time] of times.entries()) expect(time - (times[0] ?? 0)).toBeCloseTo(index / fps, 3);
}

describe('a video of 50 fields per second', () => {
  it('becomes one of 50 frames that move like the original', async () => {
    const { path, probe } = await encodeOne(await specialClip('interlaced'), 'mp4', { name: 'compress', crf: 16 });
    expect(probe.streams[0]).toMatchObject({ isInterlaced: false, framesPerSecond: 50 });
    const times = await frameTimes(path);
    expect(times).toHaveLength(100);
    expectConstantRate(times, 50);
    // About 0.8 where every second frame repeats the one before it.
    expect(await ssim({ path }, { path: await progressive() })).toBeGreaterThan(0.9);
  });

  it.each(['compress', 'transcode'] as const)('keeps 25 frames with %s on request', async (name) => {
    const recipe = { name, deinterlace: 'frame' } as const;
    const { path, probe } = await encodeOne(await specialClip('interlaced'), 'mp4', recipe);
    expect(probe.streams[0]).toMatchObject({ isInterlaced: false, framesPerSecond: 25 });
    expect(await frameTimes(path)).toHaveLength(50);
  });

  it('has 50 frames per second in each rendition and in a stream', async () => {
    const source = await specialClip('interlaced');
    const sizes = await encode(source, 'mp4', { name: 'renditions', heights: [180, 144] });
    for (const { path } of sizes) expect(await frameTimes(path)).toHaveLength(100);
    const stream = await encodeAll(source, 'm3u8', { name: 'hls' });
    expect(await frameTimes(stream.paths.get('180p') ?? '')).toHaveLength(100);
  });

  it('has 25 frames if 25 are requested', async () => {
    const recipe = { name: 'transcode', fps: 25 } as const;
    const { path } = await encodeOne(await specialClip('interlaced'), 'mp4', recipe);
    expect(await frameTimes(path)).toHaveLength(50);
  });

  it('keeps its fields apart in a file whose ticks are whole frames', async () => {
    const coarse = await generatedFile('coarse.avi', [
      ...['-i', await specialClip('interlaced'), '-map', '0:v', '-c', 'copy'],
    ]);
    const { path } = await encodeOne(coarse, 'mp4', { name: 'compress' });
    expect(await frameTimes(path)).toHaveLength(100);
  });
});

it.each(['mov', 'mkv'])('progressive frames that %s says are interlaced keep their rate', async (container) => {
  const codec = container === 'mov' ? ['-c:v', 'prores_ks'] : ['-c:v', 'libx264', '-preset', 'ultrafast'];
  const source = await generatedFile(`segmented.${container}`, [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=2,setfield=tff', ...codec],
  ]);
  const input = await anEncoder().probe(source);
  expect(input.streams[0]).toMatchObject({ isInterlaced: true, hasSegmentedFrames: true });
  const file = await encodeOne(source, 'mp4', { name: 'compress' });
  expect(file.probe.streams[0]).toMatchObject({ framesPerSecond: 25, baseFramesPerSecond: 25 });
  expect(await frameTimes(file.path)).toHaveLength(50);
  // WebM states a constant rate: at that of fields it would show each frame twice.
  const recipe = { name: 'transcode', preset: 'ultrafast' } as const;
  expect(await frameTimes((await encodeOne(source, 'webm', recipe)).path)).toHaveLength(50);
});

it('MPEG-2 whose first frames are progressive and later ones interlaced has no combs', async () => {
  const source = await clipWithLateFields();
  const input = await anEncoder().probe(source);
  expect(input.streams[0]).toMatchObject({ isInterlaced: true, hasSegmentedFrames: true });
  const { path, probe } = await encodeOne(source, 'mp4', { name: 'compress', crf: 12 });
  expect(probe.streams[0]).toMatchObject({ framesPerSecond: 25, baseFramesPerSecond: 25 });
  expect(await frameTimes(path)).toHaveLength(100);
  const sceneOfFields = { path, filters: 'trim=start_frame=50,setpts=N,settb=1/25' };
  const scene = { path: await mpeg2Scene(50), filters: "select='not(mod(n,2))',setpts=N,settb=1/25" };
  // About 0.75 with combs.
  expect(await ssim(sceneOfFields, scene)).toBeGreaterThan(0.85);
});

it.each([
  [90, []],
  [180, []],
  [270, []],
  [0, ['-display_hflip']],
  [0, ['-display_vflip']],
  [90, ['-display_hflip']],
  [270, ['-display_hflip']],
] as const)('a video of fields shown rotated by %d degrees, mirrored by %j has no combs', async (degrees, mirror) => {
  const moving = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=50:duration=2,scroll=horizontal=0.02'];
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '4', '-pix_fmt', 'yuv420p'];
  const fields = ['-vf', 'tinterlace=interleave_top', '-flags', '+ilme+ildct', '-x264-params', 'tff=1'];
  const rotated = async (...options: string[]) => {
    const stored = await generatedFile('stored.mp4', [...moving, ...x264, ...options]);
    return generatedFile('rotated.mp4', [
      ...['-display_rotation', String(-degrees), ...mirror],
      ...['-i', stored, '-c', 'copy'],
    ]);
  };
  const { path, probe } = await encodeOne(await rotated(...fields), 'mp4', { name: 'compress', crf: 16 });
  const size = degrees % 180 === 0 ? { width: 320, height: 180 } : { width: 180, height: 320 };
  expect(probe.streams[0]).toMatchObject({ isInterlaced: false, framesPerSecond: 50, rotation: 0, ...size });
  // About 0.7 where fields are taken for columns, or in the wrong order.
  expect(await ssim({ path }, { path: await rotated() })).toBeGreaterThan(0.9);
});

it('tiles from keyframes of a rotated video show one field each', async () => {
  const rotated = async (...options: string[]) => {
    const stored = await generatedFile('stored.mp4', [
      ...['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=50:duration=4,scroll=horizontal=0.02'],
      ...[...'-c:v libx264 -preset ultrafast -crf 4 -pix_fmt yuv420p -g 5'.split(' '), ...options],
    ]);
    return generatedFile('rotated.mp4', ['-display_rotation', '-90', '-i', stored, '-c', 'copy']);
  };
  const tilesOf = async (source: string) => {
    const recipe = { name: 'sprite', every: 1, tileWidth: 180, accuracy: 'keyframe' } as const;
    const [sprite] = await encode(source, 'png', recipe);
    return { path: sprite?.path ?? '' };
  };
  const fields = ['-vf', 'tinterlace=interleave_top', '-flags', '+ilme+ildct', '-x264-params', 'tff=1'];
  const frames = ['-vf', 'select=not(mod(n\\,2))', '-r', '25'];
  const tiles = await tilesOf(await rotated(...fields));
  // 0.990 where fields are taken for columns.
  expect(await ssim(tiles, await tilesOf(await rotated(...frames)))).toBeGreaterThan(0.995);
});

it('60i becomes 59.94p', async () => {
  const source = await generatedFile('ntsc.ts', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=60000/1001:duration=2'],
    ...['-vf', 'tinterlace=interleave_top', '-flags', '+ilme+ildct', '-c:v', 'mpeg2video', '-q:v', '2'],
  ]);
  const { path, probe } = await encodeOne(source, 'mp4', { name: 'compress' });
  expect(probe.streams[0]).toMatchObject({ framesPerSecond: 60_000 / 1001 });
  expectConstantRate(await frameTimes(path), 60_000 / 1001);
});

it('makes 50 frames per second of a DV file, as a camera writes it', async () => {
  const tape = await generatedFile('tape.dv', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=720x576:rate=50:duration=1'],
    ...['-f', 'lavfi', '-i', 'sine=duration=1:sample_rate=48000', '-vf', 'interlace=scan=bff,setsar=16/15'],
    ...['-c:v', 'dvvideo', '-pix_fmt', 'yuv420p', '-ac', '2'],
  ]);
  const input = await anEncoder().probe(tape);
  validateProbe(input, inputLimitsSchema.parse({}));
  expect(input.streams[0]).toMatchObject({ isInterlaced: true, framesPerSecond: 25 });
  const { path, probe } = await encodeOne(tape, 'mp4', { name: 'compress', preset: 'ultrafast' });
  expect(probe.streams[0]).toMatchObject({ isInterlaced: false, framesPerSecond: 50, width: 768 });
  const times = await frameTimes(path);
  expect(times).toHaveLength(50);
  expectConstantRate(times, 50);
});
