import { expect, it } from 'vitest';
import { box, fullBox, integers, viewOf } from '../../../src/media/boxes.ts';
import { type FragmentTimes, missingShare, readFragmentTimes } from '../../../src/media/fragments/missing-fragments.ts';

/** Fragments of 10 ticks of one track, by their numbers and starts. */
const track = (...fragments: [number, number][]): FragmentTimes[] =>
  fragments.map(([sequence, start]) => ({ sequence, tracks: [{ id: 1, start, end: start + 10 }] }));

it.each<[string, FragmentTimes[], number]>([
  ['nothing of a whole file', track([1, 0], [2, 10], [3, 20], [4, 30], [5, 40]), 0],
  ['the time of a fragment that is missing', track([1, 0], [2, 10], [4, 30], [5, 40]), 0.2],
  ['nothing of a recording that paused', track([1, 0], [2, 10], [3, 30], [4, 40]), 0],
  ['nothing of one of two tracks', track([1, 0], [3, 10], [5, 20], [7, 30]), 0],
  ['nothing of one of two tracks that paused', track([1, 0], [3, 10], [5, 30], [7, 40]), 0],
  ['nothing of numbers that start again', track([1, 0], [2, 10], [1, 20], [2, 30]), 0],
  ['nothing without fragments', [], 0],
])('%s is missing', (_, fragments, share) => expect(missingShare(fragments)).toBeCloseTo(share, 6));

it('a fragment of one track is missing, whose next one follows behind that of another', () => {
  const one = (sequence: number, id: number, start: number) => ({ sequence, tracks: [{ id, start, end: start + 10 }] });
  const fragments = [one(1, 1, 0), one(2, 2, 0), one(3, 1, 10), one(5, 1, 20), one(6, 2, 20)];
  expect(missingShare(fragments)).toBeCloseTo(1 / 3, 6);
});

const movie = viewOf(box('mvex', fullBox('trex', integers(1, 1, 7, 0, 0))));
const fragmentOf = (...run: number[]) =>
  viewOf(
    Buffer.concat([
      fullBox('mfhd', integers(4)),
      box('traf', fullBox('tfhd', integers(1)), fullBox('tfdt', integers(100)), box('trun', integers(...run))),
    ]),
  );

it.each([
  ['by the default of the movie', [0, 3], 121],
  ['by their own, beside sizes', [0x301, 2, 0, 5, 1000, 6, 1000], 111],
])('reads how long the samples of a fragment last: %s', (_, run, end) => {
  expect(readFragmentTimes(fragmentOf(...run), movie)).toEqual({ sequence: 4, tracks: [{ id: 1, start: 100, end }] });
});

it('a run that states more times than it has is no fragment', () => {
  expect(readFragmentTimes(fragmentOf(0x100, 0xffffffff, 5), movie)).toBeUndefined();
});
