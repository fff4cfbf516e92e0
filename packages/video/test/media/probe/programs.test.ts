import { expect, it } from 'vitest';
import { readProbe } from '../../../src/media/probe/read-probe.ts';

const video = { index: 0, codec_type: 'video', codec_name: 'h264', width: 1920, height: 1080 };
const audio = { index: 1, codec_type: 'audio', codec_name: 'mp2', channels: 2, sample_rate: '48000' };

it('reads the programs of each stream of a broadcast that has several', () => {
  const format = { format_name: 'mpegts', start_time: '1.4' };
  const read = (...programs: number[][]) =>
    readProbe(
      JSON.stringify({
        format,
        programs: programs.map((indexes) => ({ streams: indexes.map((index) => ({ index })) })),
        streams: [video, audio],
      }),
    ).streams.map((stream) => stream.programs);
  expect(read([1], [], [0, 1])).toEqual([[1], [0, 1]]);
  expect(read([1], [])).toEqual([undefined, undefined]);
  expect(read([0], [0])).toEqual([[0, 1], undefined]);
  expect(read()).toEqual([undefined, undefined]);
});
