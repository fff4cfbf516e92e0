import { describe, expect, it } from 'vitest';
import type { JobResource } from '../../../core/api/job-resource.ts';
import { sizeChangeLabel, taskLabel } from '../../../dashboard/job/job-labels.ts';
import { comparisonOffsetSeconds } from '../../../dashboard/job-page/comparison-offset.ts';

type Choice = { recipe?: object; request?: object; fileType?: string; inputSizeBytes?: number };

/** A completed job with one output of 2 MB. */
function aJob({
  recipe = { name: 'compress' },
  request,
  fileType = 'video',
  inputSizeBytes,
}: Choice): JobResource {
  return {
    request: {
      mode: 'recipe',
      input: { url: 'https://media.example/in.mp4' },
      output: { format: 'mp4' },
      recipe,
      ...request,
    },
    output_files: { output: { file_type: fileType, size_mbytes: 2 } },
    inputSizeBytes,
  } as unknown as JobResource;
}

describe('the saving of a job', () => {
  it('is told of a film that takes the place of its input', () => {
    expect(sizeChangeLabel(aJob({ inputSizeBytes: 8_000_000 }))).toBe('−75 %');
  });

  it('is told of a picture that was made of a picture, and not of one out of a film', () => {
    const picture = { fileType: 'image', inputSizeBytes: 4_000_000 };
    expect(sizeChangeLabel(aJob({ ...picture, recipe: { name: 'image' } }))).toBe('−50 %');
    expect(sizeChangeLabel(aJob({ ...picture, recipe: { name: 'thumbnail' } }))).toBeUndefined();
  });

  it('is not told before the size of the input is known', () => {
    expect(sizeChangeLabel(aJob({}))).toBeUndefined();
  });
});

describe('a result is looked at beside its input', () => {
  it.each([
    ['from the start', aJob({}), 0],
    ['from where it was cut', aJob({ recipe: { name: 'clip', start: 12.5 } }), 12.5],
    ['where both are pictures', aJob({ recipe: { name: 'image' }, fileType: 'image' }), 0],
    [
      'not where it is a picture of a film',
      aJob({ recipe: { name: 'thumbnail' }, fileType: 'image' }),
      undefined,
    ],
    ['not where it runs faster', aJob({ recipe: { name: 'speed' } }), undefined],
    ['not where it is sound', aJob({ recipe: { name: 'extract-audio' }, fileType: 'audio' }), undefined],
    ['not after several steps', aJob({ request: { mode: 'pipeline', recipe: undefined } }), undefined],
  ])('%s', (_, job, offset) => {
    expect(comparisonOffsetSeconds(job)).toBe(offset);
  });
});

it('says what is made by one recipe or by several', () => {
  const output = { format: 'webm' };
  const steps = [{ recipe: { name: 'clip' } }, { recipe: { name: 'hdr-to-sdr' } }];
  expect(taskLabel({ request: { output, recipe: { name: 'extract-audio' } } })).toBe('Extract audio to webm');
  expect(taskLabel({ request: { output, steps } })).toBe('Clip, hdr to sdr to webm');
});
