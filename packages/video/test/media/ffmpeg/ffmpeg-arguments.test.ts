import { expect, it } from 'vitest';
import { mediaDecoders } from '../../../src/media/codecs/input-decoders.ts';
import { ffmpegArguments, inputGuards } from '../../../src/media/ffmpeg/command.ts';

const bounds = { maxPixels: 67_108_864, maxAllocationBytes: 1_073_741_824, maxCpuSeconds: 1681, cpuCount: 2 };

it('every input has all guards before it', () => {
  const args = ffmpegArguments(
    {
      inputs: [{ path: '/job/input', options: ['-ss', '1.500'] }, { path: '/job/logo' }],
      outputArguments: ['-c:v', 'libx264', '/job/out/output.mp4'],
    },
    bounds,
  );
  const guards = [
    '-protocol_whitelist file',
    '-format_whitelist mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,avi,flv,ogg,mp3,aac,flac,wav,asf,gif,apng,mxf,dv,aiff,ac3,eac3,amr,caf,wv,png_pipe,jpeg_pipe,webp_pipe,tiff_pipe,bmp_pipe',
    `-codec_whitelist ${mediaDecoders.join(',')}`,
    '-max_streams 256 -max_pixels 67108864',
  ].join(' ');
  expect(args.join(' ')).toBe(
    [
      '-hide_banner -nostdin -y -loglevel level+verbose -nostats -progress pipe:1 -stats_period 0.5',
      '-max_alloc 1073741824 -timelimit 1681',
      `${guards} -ss 1.500 -i /job/input`,
      `${guards} -i /job/logo`,
      '-c:v libx264 -threads:v 3 /job/out/output.mp4',
    ].join(' '),
  );
});

it('only a trusted file is detected as an image by its name', () => {
  expect(inputGuards(bounds).join(' ')).not.toContain('image2');
  expect(inputGuards(bounds, { isTrusted: true }).join(' ')).toContain(',image2,');
});

it('a subtitle file opens only with the subtitle demuxers', () => {
  const allowed = inputGuards(bounds, { isSubtitles: true });
  expect(allowed[allowed.indexOf('-format_whitelist') + 1]).toBe('srt,webvtt,ass');
  expect(allowed[allowed.indexOf('-codec_whitelist') + 1]).toBe('srt,subrip,webvtt,ass,ssa');
  const media = inputGuards(bounds);
  expect(media[media.indexOf('-format_whitelist') + 1]).not.toMatch(/srt|webvtt|ass,/);
});

it('a remote file opens only over HTTP', () => {
  const guards = inputGuards(bounds, { isRemote: true }).join(' ');
  expect(guards).toMatch(/^-protocol_whitelist http,tcp -format_whitelist mov,/);
  const [others, reading] = guards.split(' -short_seek_size ');
  expect(others?.replace('http,tcp', 'file')).toBe(inputGuards(bounds).join(' '));
  expect(reading).toBe('2097152 -recv_buffer_size 262144');
});

it.each([{}, { isTrusted: true }, { isSubtitles: true }, { isConcatList: true }])(
  'a local file opens without network: %j',
  (kind) => expect(inputGuards(bounds, kind).join(' ')).not.toMatch(/http|tcp/),
);
