import { expect, it } from 'vitest';
import { audioRangeParser } from '../../../src/chunking/frame-index/packets.ts';

function rangeOf(packets: string[], stream = 'time_base=1/1000|start_pts=500|duration_ts=590') {
  const parser = audioRangeParser();
  for (const packet of packets) parser.add(`packet|${packet}`);
  parser.add(`stream|${stream}`);
  return parser.finish();
}

it('audio reaches from its first packet to the end of its last', () => {
  expect(rangeOf(['pts=500|duration=300|size=70', 'pts=800|duration=300|size=50'])).toEqual({
    packets: 2,
    sizeBytes: 120,
    startSeconds: 0.5,
    endSeconds: 1.1,
  });
});

it('a last packet without a duration ends with its track', () => {
  expect(rangeOf(['pts=500|duration=300', 'pts=800|duration=N/A'])).toMatchObject({ endSeconds: 1.09 });
  const unstated = 'time_base=1/1000|start_pts=500|duration_ts=N/A';
  expect(rangeOf(['pts=500|duration=300', 'pts=800|duration=N/A'], unstated).endSeconds).toBe(0.8);
});

it('audio without packets is empty, and without a time base is an error', () => {
  expect(rangeOf([])).toEqual({ packets: 0, sizeBytes: 0, startSeconds: 0, endSeconds: 0 });
  expect(() => rangeOf([], 'start_pts=0')).toThrow('no time base');
});
