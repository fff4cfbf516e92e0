import { submittedJobSchema } from '@media-jobs/core/api';
import { expect, it } from 'vitest';
import { usualJobs } from './usual-jobs.ts';

const jobs = usualJobs('https://example.com/video.mp4');

it('docs/api.md has ten usual jobs', () => expect(jobs.size).toBe(10));

it.each([...jobs])('docs/api.md has a valid body: %s', (_, body) => {
  expect(submittedJobSchema.safeParse(body).error?.issues).toBeUndefined();
});
