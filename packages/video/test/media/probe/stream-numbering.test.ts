import { expect, it } from 'vitest';
import { readProbe } from '../../../src/media/probe/read-probe.ts';
import { describeOtherNumbering } from '../../../src/media/probe/stream-numbering.ts';

const video = {
  index: 0,
  id: '0x1',
  codec_type: 'video',
  codec_name: 'av1',
  width: 64,
  height: 64,
  time_base: '1/10240',
};
const audio = {
  index: 1,
  id: '0x2',
  codec_type: 'audio',
  codec_name: 'aac',
  channels: 2,
  time_base: '1/48000',
};

/** As ffmpeg 7.0 and 7.1 write them. */
const logged = {
  video:
    'Stream #0:0[0x1](und): Video: av1 (libdav1d) (Main) (av01 / 0x31307661), yuv420p(tv, progressive), 64x64 [SAR 1:1 DAR 1:1], 18 kb/s, 5 fps, 5 tbr, 10240 tbn (default)',
  audio: 'Stream #0:1[0x2](pt-BR): Audio: aac (LC) (mp4a / 0x6134706D), 48000 Hz, stereo, fltp, 128 kb/s (default)',
  still:
    'Stream #0:0[0x1]: Video: av1 (libdav1d) (Main) (av01 / 0x31307661), yuv420p(tv), 64x64 [SAR 1:1 DAR 1:1], 1 fps, 1 tbr, 1 tbn (default)',
};

/** Describes a file of these streams by the lines of ffmpeg's log. */
function describe(streams: readonly object[], lines: readonly string[], container = 'mov,mp4,m4a,3gp,3g2,mj2') {
  const json = JSON.stringify({ format: { format_name: container, duration: '1' }, streams });
  const log = lines.map((line) => `  ${line}\n    Metadata:\n      title           : Stream\n`).join('');
  return describeOtherNumbering(readProbe(json), json, log);
}

it('the same numbers in both programs have no description', () => {
  expect(describe([video, audio], [logged.video, logged.audio])).toBeUndefined();
});

it.each<[string, string, string, string]>([
  ['thousands', '1/90000', '90k', 'mpegts'],
  ['ticks that the log rounds', '1001/30000', '29.97', 'avi'],
  ['less than one tick', '3/1', '0.33', 'matroska,webm'],
])('the clock of a stream is read: %s', (_, base, ticks, container) => {
  const line = logged.video.replace('10240 tbn', `${ticks} tbn`);
  expect(describe([{ ...video, time_base: base }], [line], container)).toBeUndefined();
});

it.each<[string, readonly string[]]>([
  ['a still image comes before the track', [logged.still, logged.video.replace('#0:0', '#0:1')]],
  ['video and audio are exchanged', [logged.audio.replace('#0:1', '#0:0'), logged.video.replace('#0:0', '#0:1')]],
  ['the codec is another', [logged.video.replace('av1', 'hevc'), logged.audio]],
  ['the track id is another', [logged.video.replace('[0x1]', '[0x3]'), logged.audio]],
])('another numbering is described: %s', (_, lines) => {
  expect(describe([video, audio], lines)).toMatch(
    /^Stream 0 of the input is video in ffprobe, and another stream in ffmpeg/,
  );
});

it('streams that no recipe uses are not compared', () => {
  const cover = { ...video, index: 2, disposition: { attached_pic: 1 } };
  const data = { index: 3, codec_type: 'data', codec_name: 'bin_data' };
  const others = ['Stream #0:2: Video: png, rgb24, 10 tbn', 'Stream #0:3: Subtitle: mov_text'];
  expect(describe([video, audio, cover, data], [logged.video, logged.audio, ...others])).toBeUndefined();
});

it('a stream of which ffmpeg writes nothing is not compared: it cannot be another', () => {
  expect(describe([video, audio], [logged.video])).toBeUndefined();
});
