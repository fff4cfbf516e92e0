import { describe, expect, it } from 'vitest';
import { type Draft, newDraft } from '../../src/new-job/draft.ts';
import { estimatedSource } from '../../src/new-job/source-media.ts';
import { joiningRecipe, recipeNamed } from '../builders/recipe-descriptions.ts';

const draftOf = (name: string): Draft => ({
  ...newDraft(recipeNamed(name)),
  sources: ['https://media.example/in.mp4'],
});

describe('the source of an estimate', () => {
  it('is a typical video if it is unknown, and is marked as assumed', () => {
    expect(estimatedSource(draftOf('compress'), [undefined])).toEqual({
      media: { width: 1920, height: 1080, durationSeconds: 300, hdr: false },
      known: [],
      assumed: ['1920 × 1080', '5 min', '30 frames per second', 'SDR'],
    });
  });

  it.each([
    ['image', { media: { width: 1920, height: 1080 }, known: [], assumed: ['still image, 1920 × 1080'] }],
    ['hdr-to-sdr', { media: { hdr: true }, assumed: expect.arrayContaining(['HDR']) }],
  ])('suits the recipe %s', (name, expected) => {
    expect(estimatedSource(draftOf(name), [undefined])).toMatchObject(expected);
  });

  it('has what the browser has measured, and the rest is assumed', () => {
    const measured = { width: 960, height: 540, durationSeconds: 6, sizeBytes: 1_200_000 };
    expect(estimatedSource(draftOf('compress'), [measured])).toEqual({
      media: { ...measured, hdr: false },
      known: ['960 × 540', '6.0 s', '1.2 MB'],
      assumed: ['30 frames per second', 'SDR'],
    });
    const undecoded = { durationSeconds: 6, sizeBytes: 1_200_000 };
    expect(estimatedSource(draftOf('compress'), [undecoded])).toEqual({
      media: { ...undecoded, width: 1920, height: 1080, hdr: false },
      known: ['6.0 s', '1.2 MB'],
      assumed: ['1920 × 1080', '30 frames per second', 'SDR'],
    });
  });

  it('is a still image if the browser has measured one', () => {
    const photo = { width: 4000, height: 3000, sizeBytes: 3_000_000 };
    expect(estimatedSource(draftOf('compress'), [photo])).toEqual({
      media: photo,
      known: ['still image, 4000 × 3000', '3.0 MB'],
      assumed: [],
    });
  });

  it('has the mean duration and size of several, and the largest frame', () => {
    const one = { width: 960, height: 540, durationSeconds: 10, sizeBytes: 1_000_000 };
    const other = { width: 540, height: 960, durationSeconds: 20, sizeBytes: 2_000_001 };
    const draft = newDraft(joiningRecipe);
    expect(estimatedSource(draft, [one, other]).media).toEqual({
      width: 960,
      height: 960,
      durationSeconds: 15,
      sizeBytes: 1_500_001,
      hdr: false,
    });
    expect(estimatedSource(draft, [one, undefined]).known).toEqual([]);
  });
});
