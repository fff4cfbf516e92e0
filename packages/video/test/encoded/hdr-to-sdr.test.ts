// @module-tag color
import { expect, it } from 'vitest';
import { videoArguments } from '../../src/encoding/video/encode-video.ts';
import type { VideoCodec } from '../../src/media/codecs/video-codecs.ts';
import { argumentTexts } from '../../src/media/ffmpeg/command.ts';
import { requireVideo } from '../../src/media/probe/streams.ts';
import { ssim } from '../builders/measure/measure-video.ts';
import { bareFfmpeg, bareFfmpegOutput } from '../builders/media/bare-ffmpeg.ts';
import { clipWith } from '../builders/media/clips.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { anEncoder, encodeOne } from '../builders/recipes/encode.ts';

it.each(['mobius', 'hable', 'reinhard'] as const)('HDR is converted close to its SDR original by %s', async (curve) => {
  const source = await clipWith({ colour: 'hdr' });
  const output = await encodeOne(source, 'mp4', { name: 'hdr-to-sdr', curve });
  expect(output.probe.streams[0]).toMatchObject({ bitDepth: 8 });
  expect(output.probe.streams[0]).toMatchObject({ hdrTransfer: undefined });
  expect(await ssim({ path: output.path }, { path: await clipWith() })).toBeGreaterThan(0.6);
});

it('full-range HDR is converted correctly', async () => {
  const [full, limited] = await Promise.all(
    (['pc', 'tv'] as const).map(async (range) => {
      const pattern = `testsrc2=size=160x90:rate=5:duration=1,scale=in_range=tv:out_range=${range},format=yuv420p10le`;
      const tags = 'colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc:log-level=error';
      const x265Params = `${tags}:range=${range === 'pc' ? 'full' : 'limited'}`;
      const args = ['-f', 'lavfi', '-i', pattern, '-color_range', range, '-c:v', 'libx265', '-crf', '8'];
      const recipe = [...args, '-x265-params', x265Params];
      const source = await generatedFile('range.mp4', recipe);
      return (await encodeOne(source, 'mp4', { name: 'transcode', crf: 8 })).path;
    }),
  );
  const inputs = [full, limited].flatMap((path) => ['-i', path ?? '']);
  const report = await bareFfmpeg([...inputs, '-lavfi', 'psnr', '-f', 'null', '-']);
  // The difference is 35 if one is decoded as the other.
  expect(Number(/average:([\d.]+)/.exec(report)?.[1])).toBeGreaterThan(44);
});

it.each(['mp4', 'mkv', 'ts'])('HLG that only its frames declare, as in DVB, is converted: %s', async (format) => {
  const pattern = 'testsrc2=size=160x90:rate=5:duration=1,format=yuv420p10le';
  const hlg = async (name: string, transfer: string) => {
    const params = `colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc:log-level=error`;
    const encoder = ['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '8', '-x265-params', params];
    const source = await generatedFile(name, ['-f', 'lavfi', '-i', pattern, ...encoder]);
    return encodeOne(source, 'mp4', { name: 'hdr-to-sdr' });
  };
  const plain = await hlg('hlg.mp4', 'arib-std-b67');
  const dvb = await hlg(`dvb.${format}`, 'bt2020-10:atc-sei=18');
  expect(await ssim({ path: dvb.path }, { path: plain.path })).toBeGreaterThan(0.99);
});

it('an SDR input is rejected', async () => {
  await expect(encodeOne(await clipWith(), 'mp4', { name: 'hdr-to-sdr' })).rejects.toThrow(
    'found standard dynamic range',
  );
});

it.each([
  ['HDR', ['-vf', 'setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc']],
  ['full-range SDR', ['-vf', 'setparams=colorspace=bt709', '-color_range', 'pc']],
])('%s reaches a 10-bit encoder with more than 8 bits', async (_, tags) => {
  const ramp = "color=black:size=256x64:rate=5:duration=0.4,format=yuv444p10le,geq=lum='64+3*X':cb=512:cr=512";
  const args = ['-f', 'lavfi', '-i', `${ramp},format=yuv420p10le`, ...tags];
  const source = await generatedFile('ramp.mkv', [...args, '-c:v', 'ffv1']);
  const video = requireVideo(await anEncoder().probe(source));
  const shareOfFineCodes = async (codec: VideoCodec) => {
    const mapped = videoArguments(video, {
      codec,
      format: 'mkv',
      quality: { crf: 20 },
      audioBitrateKbps: 128,
      transform: { scale: { width: 256, height: 64 } },
    }).slice(0, 4);
    const filters = argumentTexts(mapped);
    const raw = ['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'yuv420p10le', '-'];
    const { buffer } = new Uint8Array(await bareFfmpegOutput(['-i', source, ...filters, ...raw]));
    const codes = new Uint16Array(buffer).subarray(0, 256 * 64);
    return codes.filter((code) => code % 4 !== 0).length / codes.length;
  };
  expect(await shareOfFineCodes('h265')).toBeGreaterThan(0.4);
  expect(await shareOfFineCodes('h264')).toBe(0);
});
