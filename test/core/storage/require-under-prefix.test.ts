import { expect, it } from 'vitest';
import { requireUnderPrefix } from '../../../core/storage/object-key.ts';

it.each([
  ['videos/a.mp4', undefined],
  ['videos/a.mp4', 'videos'],
  ['videos/a.mp4', 'videos/'],
])('the input %s is readable with the prefix %s', (key, prefix) => {
  expect(() => requireUnderPrefix(key, { prefix })).not.toThrow();
});

it.each(['videos-old/a.mp4', 'other/videos/a.mp4', 'videos'])(
  'the input %s of a job is not readable once the prefix is videos',
  (key) => {
    const forbidden = { code: 'INPUT_FORBIDDEN', message: expect.stringContaining('prefix videos') };
    expect(() => requireUnderPrefix(key, { prefix: 'videos' })).toThrow(expect.objectContaining(forbidden));
  },
);
