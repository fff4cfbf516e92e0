import { describe, expect, it } from 'vitest';
import { readProbe } from '../../../src/media/probe/read-probe.ts';

const video = { index: 0, codec_type: 'video', codec_name: 'h264', width: 1920, height: 1080 };
const audio = { index: 1, codec_type: 'audio', codec_name: 'mp2', channels: 2, sample_rate: '48000' };

it('counts from the start of the program of the main video, and knows its timestamp', () => {
  const format = { format_name: 'mpegts', start_time: '1.4' };
  const read = (programs: number[][]) =>
    readProbe(
      JSON.stringify({
        format,
        programs: programs.map((indexes) => ({ streams: indexes.map((index) => ({ index })) })),
        streams: [
          { ...audio, index: 2, start_time: '1.4' },
          { ...video, start_time: '900.9' },
          { ...audio, start_time: '900.4' },
        ],
      }),
    );
  const several = read([[2], [0, 1]]);
  expect(several).toMatchObject({ mediaStartSeconds: 899, startTimestampSeconds: 900.4 });
  expect(several.streams.map(({ startSeconds }) => startSeconds)).toEqual([0, 0.5, 0]);
  const single = read([[0, 1, 2]]);
  expect(single).toMatchObject({ startTimestampSeconds: 1.4 });
  expect(single.mediaStartSeconds).toBeUndefined();
  expect(single.streams.map(({ startSeconds }) => startSeconds)).toEqual([0, 899.5, 899]);
});

describe('a file whose first video or audio is not its first stream', () => {
  const teletext = {
    index: 2,
    codec_type: 'subtitle',
    codec_name: 'dvb_teletext',
    start_time: '0.84',
    duration: '11.52',
  };
  const streams = [
    { ...video, start_time: '1.48', duration: '12' },
    { ...audio, start_time: '1.46', duration: '11.99' },
  ];
  const read = (format_name: string, first: object) =>
    readProbe(
      JSON.stringify({ format: { format_name, start_time: '0.84', duration: '12.64' }, streams: [...streams, first] }),
    );

  it.each(['mpegts', 'matroska,webm'])('counts from the video or audio: %s', (format) => {
    const found = read(format, teletext);
    expect(found.startTimestampSeconds).toBe(1.46);
    expect(found.mediaStartSeconds).toBeCloseTo(0.62);
    expect(found.streams.map(({ startSeconds }) => startSeconds.toFixed(2))).toEqual(['0.02', '0.00', '0.00']);
    expect(found.durationSeconds).toBeCloseTo(12.02);
  });

  it('ends with its video or audio', () => {
    const found = read('matroska,webm', { ...teletext, duration: '30' });
    expect(found.durationSeconds).toBeCloseTo(12.02);
  });

  it.each([
    { index: 2, codec_type: 'video', codec_name: 'mjpeg', start_time: '0.84', disposition: { attached_pic: 1 } },
    { index: 2, codec_type: 'audio', start_time: '0.84' },
  ])('a cover and a track of an unknown codec count as neither', (first) => {
    expect(read('matroska,webm', first).startTimestampSeconds).toBe(1.46);
  });

  it('a second audio track counts', () => {
    expect(read('mpegts', { ...audio, index: 2, start_time: '0.84' })).not.toHaveProperty('mediaStartSeconds');
  });
});
