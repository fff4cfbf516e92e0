import { completedJobExample } from '@media-jobs/core/api';
import { expect, it } from 'vitest';
import { originalMedia } from '../../src/new-job/original-media.ts';
import { recipeNamed } from '../builders/recipe-descriptions.ts';

const recipes = ['compress', 'thumbnail'].map(recipeNamed);

it('the estimate of a copy knows how long and large the input of its original is', () => {
  const { duration, width, height } = completedJobExample.output_files?.output ?? {};
  const known = { durationSeconds: duration, width, height, sizeBytes: completedJobExample.inputSizeBytes };
  expect(duration).toBeGreaterThan(0);
  expect(originalMedia(completedJobExample, recipes)).toEqual(known);
});

it('a result of another length, or that has expired, tells nothing', () => {
  const request = { ...completedJobExample.request, recipe: { name: 'thumbnail' } };
  expect(originalMedia({ ...completedJobExample, request }, recipes)).toBeUndefined();
  expect(originalMedia({ ...completedJobExample, output_files: undefined }, recipes)).toBeUndefined();
});
