import { expect, it } from 'vitest';
import type { FrameIndex } from '../../../src/chunking/frame-index/frame-index.ts';
import { frameIndexBuilder } from '../../../src/chunking/frame-index/frame-index-builder.ts';

type Line = [pts: number | 'N/A', flags: string, size?: number];

/** The index of packets with a time base of 1/1000 s. */
function indexOf(packets: Line[], { start = '0.000000', fileSeconds = 0 } = {}): FrameIndex {
  const indexer = frameIndexBuilder(fileSeconds);
  for (const [pts, flags, size = 100] of packets) indexer.add(`packet|pts=${pts}|size=${size}|flags=${flags}`);
  indexer.add('stream|time_base=1/1000|extradata_hash=murmur3:aa');
  indexer.add(`format|start_time=${start}`);
  return indexer.finish();
}

const reordered: Line[] = [
  [0, 'K__', 900],
  [120, '___'],
  [40, '___'],
  [80, '___'],
  [1000, 'K__', 800],
  [960, '___'],
];

it('an index has the timestamps in presentation order', () => {
  expect([...indexOf(reordered).pts]).toEqual([0, 40, 80, 120, 960, 1000]);
});

it('an index has the frame of each keyframe and the bytes before it in the file', () => {
  const { keyframes, sizeBytes } = indexOf(reordered);
  expect(keyframes).toEqual([
    { frame: 0, bytesBefore: 0 },
    { frame: 5, bytesBefore: 1200 },
  ]);
  expect(sizeBytes).toBe(2100);
});

it('an index leaves out frames that are decoded but not shown', () => {
  const { pts, keyframes, anomalies } = indexOf([
    [-80, 'KD_'],
    [-40, '_D_'],
    [0, '___'],
    [40, '___'],
    [800, 'K__'],
  ]);
  expect([...pts]).toEqual([0, 40, 800]);
  expect(keyframes).toEqual([{ frame: 2, bytesBefore: 400 }]);
  expect(anomalies.framesBeforeKeyframe).toBe(0);
});

it('timestamps count from the start time of the file, or from a later origin', () => {
  const packets: Line[] = [
    [1410, 'K__'],
    [1450, '___'],
  ];
  expect([...indexOf(packets, { start: '1.400000' }).pts]).toEqual([10, 50]);
  expect([...indexOf(packets, { start: '1.400000', fileSeconds: 0.01 }).pts]).toEqual([0, 40]);
});

it('timestamps count from a negative start time too', () => {
  expect([
    ...indexOf(
      [
        [-500, 'K__'],
        [-460, '___'],
      ],
      { start: '-0.521000' },
    ).pts,
  ]).toEqual([21, 61]);
});

it('an index skips a keyframe within half a second of the last', () => {
  const every = Array.from({ length: 50 }, (_, index): Line => [index * 40, 'K__']);
  expect(indexOf(every).keyframes.map(({ frame }) => frame)).toEqual([0, 13, 26, 39]);
});

it.each<[string, Line[], Partial<FrameIndex['anomalies']>]>([
  [
    'packets without a timestamp',
    [
      [0, 'K__'],
      ['N/A', '___'],
      ['N/A', '___'],
    ],
    { missingPts: 2 },
  ],
  [
    'corrupt packets',
    [
      [0, 'K__'],
      [40, '__C'],
    ],
    { corruptPackets: 1 },
  ],
  [
    'packets before the first keyframe',
    [
      [0, '___'],
      [40, '___'],
      [80, 'K__'],
    ],
    { framesBeforeKeyframe: 2 },
  ],
  [
    'frames shown before the first keyframe',
    [
      [80, 'K__'],
      [0, '___'],
      [40, '___'],
    ],
    { framesBeforeKeyframe: 2 },
  ],
  [
    'keyframes in descending order',
    [
      [0, 'K__'],
      [2000, 'K__'],
      [1000, 'K__'],
    ],
    { hasUnorderedKeyframes: true },
  ],
])('an index records %s', (_, packets, anomalies) => expect(indexOf(packets).anomalies).toMatchObject(anomalies));

it('an index ends with the last packet that it may hold, and counts the others', () => {
  const indexer = frameIndexBuilder(0, { maxPackets: 2 });
  for (const pts of [0, 1000, 2000, 3000]) indexer.add(`packet|pts=${pts}|size=100|flags=K__`);
  indexer.add('stream|time_base=1/1000');
  const { pts, keyframes, anomalies } = indexer.finish();
  expect([...pts]).toEqual([0, 1000]);
  expect(keyframes).toHaveLength(2);
  expect(anomalies.unreadPackets).toBe(2);
});

it('an index of many frames takes little more memory than their timestamps', () => {
  const indexer = frameIndexBuilder();
  for (let index = 0; index < 100_000; index += 1) indexer.add(`packet|pts=${index * 40}|size=100|flags=K__`);
  indexer.add('stream|time_base=1/1000');
  const { pts, keyframes } = indexer.finish();
  expect(pts.byteLength).toBe(800_000);
  expect(keyframes.length).toBeLessThan(8_000);
});
