import { expect, it } from 'vitest';
import { readBoxes, viewOf } from '../../../src/media/boxes.ts';
import { readSegmentIndex, segmentIndex } from '../../../src/media/fragments/fragmented-file.ts';
import { fragmentHead, readSamples, type WrittenSample } from '../../../src/media/fragments/write-fragment.ts';

const decodeTicks = 2 ** 33;

it.each<[string, WrittenSample[]]>([
  [
    'a variable rate and reordered frames',
    [
      { sizeBytes: 900, ticks: 512, compositionOffset: 1024 },
      { sizeBytes: 70, ticks: 300, compositionOffset: 0 },
    ],
  ],
  [
    'a constant rate',
    [
      { sizeBytes: 900, ticks: 512, compositionOffset: 0 },
      { sizeBytes: 70, ticks: 512, compositionOffset: 0 },
    ],
  ],
])('a fragment of %s is read as it was written', (_, samples) => {
  const head = fragmentHead({ sequence: 7, decodeTicks, samples });
  const [fragment] = readBoxes(viewOf(head));
  const [first, second] = samples;
  expect(fragment?.type).toBe('moof');
  expect(head.subarray(-8)).toEqual(Buffer.from('\0\0\x03\xd2mdat', 'latin1'));
  expect(fragment && readSamples(fragment.content)).toEqual([
    {
      offset: head.length,
      sizeBytes: 900,
      ticks: 512,
      dts: decodeTicks,
      pts: decodeTicks + (first?.compositionOffset ?? 0),
    },
    { offset: head.length + 900, sizeBytes: 70, ticks: second?.ticks, dts: decodeTicks + 512, pts: decodeTicks + 512 },
  ]);
});

it('a segment index is read as it was written', () => {
  const index = segmentIndex(
    [
      { sizeBytes: 1000, ticks: 180_000 },
      { sizeBytes: 2000, ticks: 90_000 },
    ],
    90_000,
  );
  const [box] = readBoxes(viewOf(index));
  expect(box?.type).toBe('sidx');
  expect(box && readSegmentIndex(box.content, 500)).toEqual({
    ticksPerSecond: 90_000,
    fragments: [
      { offset: 500, sizeBytes: 1000, seconds: 2 },
      { offset: 1500, sizeBytes: 2000, seconds: 1 },
    ],
  });
});

it('a segment index has at most the fragments that it can count', () => {
  const fragments = Array.from({ length: 65_536 }, () => ({ sizeBytes: 1, ticks: 1 }));
  expect(() => segmentIndex(fragments, 1)).toThrow('cannot list 65536 fragments');
});
