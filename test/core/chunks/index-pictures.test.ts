import { expect, it } from 'vitest';
import { pictureIndexer } from '../../../core/chunks/index-pictures.ts';
import type { PictureIndex } from '../../../core/chunks/picture-index.ts';

type Line = [pts: number | 'N/A', flags: string, size?: number];

/** What is made of packets with a clock of 1/1000 s. */
function indexOf(packets: Line[], { start = '0.000000', fileSeconds = 0 } = {}): PictureIndex {
  const indexer = pictureIndexer(fileSeconds);
  for (const [pts, flags, size = 100] of packets)
    indexer.add(`packet|pts=${pts}|size=${size}|flags=${flags}`);
  indexer.add('stream|time_base=1/1000|extradata_hash=murmur3:aa');
  indexer.add(`format|start_time=${start}`);
  return indexer.finish();
}

const ordinary: Line[] = [
  [0, 'K__', 900],
  [120, '___'],
  [40, '___'],
  [80, '___'],
  [1000, 'K__', 800],
  [960, '___'],
];

it('has the times in the order of the screen', () => {
  expect([...indexOf(ordinary).times]).toEqual([0, 40, 80, 120, 960, 1000]);
});

it('knows at which picture each keyframe is, and the bytes before it in the file', () => {
  const { entries, sizeBytes } = indexOf(ordinary);
  expect(entries).toEqual([
    { picture: 0, bytesBefore: 0 },
    { picture: 5, bytesBefore: 1200 },
  ]);
  expect(sizeBytes).toBe(2100);
});

it('leaves out what is decoded and never shown', () => {
  const { times, entries, oddities } = indexOf([
    [-80, 'KD_'],
    [-40, '_D_'],
    [0, '___'],
    [40, '___'],
    [800, 'K__'],
  ]);
  expect([...times]).toEqual([0, 40, 800]);
  expect(entries).toEqual([{ picture: 2, bytesBefore: 400 }]);
  expect(oddities.beforeFirstKeyframe).toBe(0);
});

it('counts times from the first moment of the file, or from a later one', () => {
  const packets: Line[] = [
    [1410, 'K__'],
    [1450, '___'],
  ];
  expect([...indexOf(packets, { start: '1.400000' }).times]).toEqual([10, 50]);
  expect([...indexOf(packets, { start: '1.400000', fileSeconds: 0.01 }).times]).toEqual([0, 40]);
});

it('counts from before 0 too', () => {
  expect([
    ...indexOf(
      [
        [-500, 'K__'],
        [-460, '___'],
      ],
      { start: '-0.521000' },
    ).times,
  ]).toEqual([21, 61]);
});

it('takes no second keyframe within half a second', () => {
  const every = Array.from({ length: 50 }, (_, index): Line => [index * 40, 'K__']);
  expect(indexOf(every).entries.map(({ picture }) => picture)).toEqual([0, 13, 26, 39]);
});

it.each<[string, Line[], Partial<PictureIndex['oddities']>]>([
  [
    'packets without a time',
    [
      [0, 'K__'],
      ['N/A', '___'],
      ['N/A', '___'],
    ],
    { withoutTime: 2 },
  ],
  [
    'damaged packets',
    [
      [0, 'K__'],
      [40, '__C'],
    ],
    { damaged: 1 },
  ],
  [
    'packets before the first keyframe',
    [
      [0, '___'],
      [40, '___'],
      [80, 'K__'],
    ],
    { beforeFirstKeyframe: 2 },
  ],
  [
    'pictures on the screen before the first keyframe',
    [
      [80, 'K__'],
      [0, '___'],
      [40, '___'],
    ],
    { beforeFirstKeyframe: 2 },
  ],
  [
    'keyframes that run backwards',
    [
      [0, 'K__'],
      [2000, 'K__'],
      [1000, 'K__'],
    ],
    { runsBackwards: true },
  ],
])('notes %s', (_, packets, oddities) => {
  expect(indexOf(packets).oddities).toMatchObject(oddities);
});

it('holds many pictures in little more than their times', () => {
  const indexer = pictureIndexer();
  for (let index = 0; index < 100_000; index += 1) indexer.add(`packet|pts=${index * 40}|size=100|flags=K__`);
  indexer.add('stream|time_base=1/1000');
  const { times, entries } = indexer.finish();
  expect(times.byteLength).toBe(800_000);
  expect(entries.length).toBeLessThan(8_000);
});
