import type { JobResource } from '@media-jobs/core/api';
import { describe, expect, it } from 'vitest';
import { economyLabel, sizeChangeLabel, taskLabel } from '../../src/job/job-labels.ts';
import { aJobResource, comparisonOf } from '../builders/a-job-resource.ts';

function sizeChangeOf(job: JobResource): string | undefined {
  return sizeChangeLabel(job, comparisonOf(job));
}

describe('the size change of a job', () => {
  it('is shown for a video, whatever the recipe', () => {
    expect(sizeChangeOf(aJobResource({ inputSizeBytes: 8_000_000 }))).toBe('−75%');
    expect(sizeChangeOf(aJobResource({ inputSizeBytes: 8_000_000, recipe: { name: 'speed' } }))).toBe('−75%');
  });

  it('is shown for an image of an image, and not for an image of a video', () => {
    const image = { fileType: 'image', inputSizeBytes: 4_000_000 };
    expect(sizeChangeOf(aJobResource({ ...image, recipe: { name: 'image' } }))).toBe('−50%');
    expect(sizeChangeOf(aJobResource({ ...image, recipe: { name: 'thumbnail' } }))).toBeUndefined();
  });

  it('is shown for normalized audio, and not for extracted audio', () => {
    const audio = { fileType: 'audio', inputSizeBytes: 4_000_000 };
    expect(sizeChangeOf(aJobResource({ ...audio, recipe: { name: 'normalize-audio' } }))).toBe('−50%');
    expect(sizeChangeOf(aJobResource({ ...audio, recipe: { name: 'extract-audio' } }))).toBeUndefined();
  });

  it('is not shown before the size of the input is known', () => {
    expect(sizeChangeOf(aJobResource({}))).toBeUndefined();
  });
});

it('a task label names one recipe or several, and the format', () => {
  const output = { format: 'webm' };
  const steps = [{ recipe: { name: 'clip' } }, { recipe: { name: 'hdr-to-sdr' } }];
  expect(taskLabel({ request: { output, recipe: { name: 'extract-audio' } } })).toBe('Extract audio to webm');
  expect(taskLabel({ request: { output, steps } })).toBe('Clip, HDR to SDR to webm');
});

it.each([
  [{ speed: 'economy', finishBy: '2026-12-01T08:00:00.000Z' }, 'completed', /^Economy, to end by .*2026/],
  [{ speed: 'economy' }, 'queued', /may wait .* 72 hours/],
  [{ speed: 'economy' }, 'completed', /^Economy$/],
  [{ speed: 'fast' }, 'queued', /^undefined$/],
] as const)('the speed of a job with %j that is %s', (speed, state, label) => {
  const job = aJobResource({});
  expect(String(economyLabel({ ...job, state, request: { ...job.request, ...speed } }))).toMatch(label);
});
