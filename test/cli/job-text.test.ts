import { expect, it } from 'vitest';
import { jobText } from '../../cli/show/job-text.ts';
import { completedJobExample } from '../../core/api/job-examples.ts';

it('tells what a recipe has measured, each figure with its name', () => {
  const text = jobText({ ...completedJobExample, measurements: { crf: 27, vmaf: 93.4567 } });
  expect(text).toMatch(/Measured +crf=27\nMeasured +vmaf=93\.46\n/);
});

it('tells nothing of the signatures of a job', () => {
  expect(jobText(completedJobExample)).not.toContain('X-Amz');
});
