import { expect, it } from 'vitest';
import { restoreTimes, storedTimesSchema, storeTimes } from '../../../core/chunks/stored-times.ts';
import { aPictureIndex } from '../../builders/a-picture-index.ts';

it('keeps two hours at a constant rate in a line', () => {
  const { timeBase, times } = aPictureIndex({ pictures: 180_000 });
  const text = JSON.stringify(storeTimes({ timeBase, times }));
  expect(text.length).toBeLessThan(100);
  expect(restoreTimes(storedTimesSchema.parse(JSON.parse(text)))).toEqual({ timeBase, times });
});

it('keeps any times', () => {
  const times = Float64Array.from([21, 63, 104, 146, 188, 900, 901]);
  const { timeBase } = aPictureIndex();
  expect(restoreTimes(storeTimes({ timeBase, times })).times).toEqual(times);
});
