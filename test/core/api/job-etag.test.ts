import { describe, expect, it } from 'vitest';
import { heartbeat } from '../../../core/jobs/transitions.ts';
import { jobEtag, matchesEtag } from '../../../functions/jobs/get-job.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aProcessingJob, later } from '../../builders/jobs/jobs.ts';

const signedUrlSeconds = 3600;
const halfLifeMs = 1_800_000;
const etagAt = (job: Parameters<typeof jobEtag>[0], milliseconds: number) =>
  jobEtag(job, { now: later(milliseconds), signedUrlSeconds });

describe('the ETag of a job', () => {
  it('is weak', () => expect(etagAt(aProcessingJob(), 0)).toMatch(/^W\/"[\w-]+"$/));

  it('does not change with time for a job without files', () => {
    expect(etagAt(aProcessingJob(), 0)).toBe(etagAt(aProcessingJob(), 10 * halfLifeMs));
  });

  it('changes with the record', () => {
    const job = aProcessingJob();
    const { job: next } = heartbeat(job, { stage: 'transcoding', progress: 12, now: later(2_000) });
    expect(etagAt(next, 0)).not.toBe(etagAt(job, 0));
  });

  it('changes with each half lifetime of the signed URLs', () => {
    const job = aCompletedJob();
    expect(etagAt(job, halfLifeMs - 1)).toBe(etagAt(job, 0));
    expect(etagAt(job, halfLifeMs)).not.toBe(etagAt(job, 0));
    expect(etagAt(job, 2 * halfLifeMs)).not.toBe(etagAt(job, halfLifeMs));
  });

  it('changes when the files expire', () => {
    const job = aCompletedJob({ filesExpireAt: later(1_000).toISOString() });
    expect(etagAt(job, 1_000)).not.toBe(etagAt(job, 999));
  });
});

describe('If-None-Match', () => {
  const tag = 'W/"abc"';

  it.each(['W/"abc"', '"abc"', 'W/"x", W/"abc"', ' "x" , "abc" ', '*'])('matches the ETag: %s', (header) => {
    expect(matchesEtag(header, tag)).toBe(true);
  });

  it.each(['', 'abc', '"ab"', 'W/"abd"', '"*"'])('does not match the ETag: %s', (header) => {
    expect(matchesEtag(header, tag)).toBe(false);
  });
});
