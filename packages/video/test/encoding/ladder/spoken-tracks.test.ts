import { expect, it } from 'vitest';
import { labelTracks } from '../../../src/encoding/ladder/spoken-tracks.ts';

it('the first track of a language is chosen by it, and so is its first forced track', () => {
  const tracks = [
    { language: 'eng', isForced: true },
    { language: 'eng', isForced: false },
    { language: 'eng', isForced: true },
    { language: 'ger', isForced: false },
    { language: 'eng', isForced: false },
  ];
  expect(labelTracks(tracks, 'Subtitles').map(({ name, isFirst }) => [name, isFirst])).toEqual([
    ['English (forced)', true],
    ['English', true],
    ['English (forced) 2', false],
    ['German', true],
    ['English 2', false],
  ]);
});
