import { describe, expect, it } from 'vitest';
import { readProbe } from '../../../src/media/probe/read-probe.ts';
import { endArguments, endReading, statesEnd } from '../../../src/media/probe/stated-properties.ts';

const fragments = {
  format: { format_name: 'mov,mp4,m4a,3gp,3g2,mj2', start_time: '5000', duration: '5012' },
  streams: [{ index: 0, codec_type: 'video', codec_name: 'h264', start_time: '5000', duration: '5012' }],
};
const jsonOf = (format: object = {}, stream: object = {}) =>
  JSON.stringify({ format: { ...fragments.format, ...format }, streams: [{ ...fragments.streams[0], ...stream }] });

describe('whether the duration of a file is its end', () => {
  const reading = { startSeconds: 3, statedSeconds: 15 };

  it('is told by its last packets, behind a seek to the latest possible end', () => {
    expect(endReading(jsonOf())).toEqual({ startSeconds: 5000, statedSeconds: 5012 });
    expect(endArguments(reading)).toContain('18.000000%+#4000');
    expect(statesEnd(reading, '14.92\n14.96\nN/A\n14.94,\n')).toBe(true);
    expect(statesEnd(reading, '17.92\n17.96\n')).toBe(false);
    expect(statesEnd(reading, '')).toBe(false);
  });

  it.each([
    ['a file that starts at 0', jsonOf({ start_time: '0' })],
    ['one that ends before it starts, by that duration', jsonOf({ duration: '12' })],
    ['an MP4 with an index', jsonOf({}, { nb_frames: '300' })],
    ['a broadcast', jsonOf({ format_name: 'mpegts' })],
  ])('is not asked of %s', (_, json) => expect(endReading(json)).toBeUndefined());
});

it('durations that are ends become durations', () => {
  expect(readProbe(jsonOf(), { durationsAreEnds: true })).toMatchObject({
    durationSeconds: 12,
    streams: [{ startSeconds: 0, durationSeconds: 12 }],
  });
});
