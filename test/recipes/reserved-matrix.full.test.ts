// @module-tag color
import {
  asBt601,
  bareFfprobe,
  encodeOne,
  expectGreen,
  generatedFile,
  greenClip,
  greenSource,
  retagged,
  ssim,
} from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';
import { encodeAll } from '../builders/recipes/encode-all.ts';

const reserved = 'matrix_coefficients=3';

/** As some Samsung phones write it. */
const phoneVideo = async () =>
  retagged(await greenClip(), 'h264_metadata', `${reserved}:colour_primaries=3:transfer_characteristics=3`);

const colorsOf = async (path: string) => {
  const entries = 'stream=color_space,color_transfer,color_primaries';
  return await bareFfprobe(['-select_streams', 'v:0', '-show_entries', entries, '-of', 'csv=p=0', path]);
};

describe('a reserved color matrix', () => {
  it.each([
    ['mp4', { name: 'compress' }],
    ['jpg', { name: 'thumbnail', at: 0 }],
    ['gif', { name: 'gif' }],
  ] as const)('is taken as missing in %s', async (format, recipe) => {
    await expectGreen((await encodeOne(await phoneVideo(), format, recipe)).path);
  });

  it('leaves a video with the tags of an untagged one', async () => {
    const untagged = await retagged(await greenClip(), 'h264_metadata', 'matrix_coefficients=2');
    const [{ path: found }, { path: expected }] = [
      await encodeOne(await phoneVideo(), 'mp4', { name: 'compress' }),
      await encodeOne(untagged, 'mp4', { name: 'compress' }),
    ];
    expect(await colorsOf(found)).toEqual(await colorsOf(expected));
  });

  it('beside primaries and a transfer of 0, also reserved, is taken as missing', async () => {
    const tags = `${reserved}:colour_primaries=0:transfer_characteristics=0`;
    const input = await retagged(await greenClip(), 'h264_metadata', tags);
    await expectGreen((await encodeOne(input, 'mp4', { name: 'compress' })).path);
  });

  it.each([
    ['hevc_metadata', 'green-h265.mp4', ['-c:v', 'libx265', '-x265-params', 'log-level=error']],
    ['av1_metadata', 'green-av1.mp4', ['-c:v', 'libsvtav1', '-preset', '12', '-crf', '10']],
    ['mpeg2_metadata', 'green.ts', ['-c:v', 'mpeg2video', '-q:v', '2']],
  ] as const)('is taken as missing in the headers that %s rewrites', async (filter, name, encoder) => {
    const input = await retagged(await greenClip({ name, encoder }), filter, reserved);
    await expectGreen((await encodeOne(input, 'mp4', { name: 'compress' })).path);
  });

  it('of HLG is taken as that of BT.2020', async () => {
    const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=5:duration=1,format=yuv420p10le'];
    const params = 'colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc:log-level=error';
    const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '8', '-x265-params', params];
    const source = await generatedFile('bt2020-hlg.mp4', [...pattern, ...x265]);
    const input = await retagged(source, 'hevc_metadata', reserved);
    const found = await encodeOne(input, 'mp4', { name: 'hdr-to-sdr' });
    const expected = await encodeOne(source, 'mp4', { name: 'hdr-to-sdr' });
    expect(await ssim({ path: found.path }, { path: expected.path })).toBeGreaterThan(0.999);
  });

  it('is taken as missing in each codec of a stream, whose commands also read the audio of a broadcast', async () => {
    const audio = ['-f', 'lavfi', '-i', 'sine=duration=0.6'];
    const encoders = ['-vf', asBt601, '-c:v', 'mpeg2video', '-q:v', '2', '-c:a', 'mp2'];
    const source = await generatedFile('green-with-audio.ts', [...greenSource, ...audio, ...encoders]);
    const input = await retagged(source, 'mpeg2_metadata', reserved);
    const { paths } = await encodeAll(input, 'm3u8', { name: 'hls', codecs: ['h264', 'h265'] });
    await expectGreen(paths.get('480p') ?? '');
    expect(paths.has('480p-h265')).toBe(true);
  });

  it('does not prevent comparisons by VMAF', async () => {
    const search = { name: 'compress', targetVmaf: 90, preset: 'ultrafast' } as const;
    const { path, measurements } = await encodeOne(await phoneVideo(), 'mp4', search);
    expect(measurements?.vmaf).toBeGreaterThan(85);
    await expectGreen(path);
  });

  it.each([
    ['one video', 'compress', 1],
    ['videos that are joined', 'concat', 2],
  ] as const)('is decoded in chunks of %s as in a single pass', async (_, name, count) => {
    const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10:duration=8'];
    const source = await generatedFile('keyframes.mp4', [
      ...[...pattern, '-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10'],
    ]);
    const input = await retagged(source, 'h264_metadata', reserved);
    const inputs = count === 1 ? input : ([source, input] as const);
    await expectSinglePassFile(await encodeBothWays(inputs, 'mp4', { name }));
  });

  it('stays in a copy', async () => {
    const { path } = await encodeOne(await phoneVideo(), 'mp4', { name: 'mute' });
    expect(await colorsOf(path)).toEqual(['reserved,reserved,reserved']);
  });
});
