import { describe, expect, it } from 'vitest';
import { jobEtag, matchesEtag } from '../../../core/api/job-etag.ts';
import { heartbeat } from '../../../core/jobs/transitions.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aProcessingJob, later } from '../../builders/jobs/jobs.ts';

const signedUrlSeconds = 3600;
const halfLifeMs = 1_800_000;
const tagAt = (job: Parameters<typeof jobEtag>[0], milliseconds: number) =>
  jobEtag(job, { now: later(milliseconds), signedUrlSeconds });

describe('the tag of a job', () => {
  it('is a weak entity tag', () => {
    expect(tagAt(aProcessingJob(), 0)).toMatch(/^W\/"[\w-]+"$/);
  });

  it('stays while nothing changes, however long, for a job without files', () => {
    expect(tagAt(aProcessingJob(), 0)).toBe(tagAt(aProcessingJob(), 10 * halfLifeMs));
  });

  it('changes with the record', () => {
    const job = aProcessingJob();
    const { job: next } = heartbeat(job, { stage: 'transcoding', progress: 12, now: later(2_000) });
    expect(tagAt(next, 0)).not.toBe(tagAt(job, 0));
  });

  it('changes with each half lifetime of the signed URLs', () => {
    const job = aCompletedJob();
    expect(tagAt(job, halfLifeMs - 1)).toBe(tagAt(job, 0));
    expect(tagAt(job, halfLifeMs)).not.toBe(tagAt(job, 0));
    expect(tagAt(job, 2 * halfLifeMs)).not.toBe(tagAt(job, halfLifeMs));
  });

  it('changes when the files expire', () => {
    const job = aCompletedJob({ filesExpireAt: later(1_000).toISOString() });
    expect(tagAt(job, 1_000)).not.toBe(tagAt(job, 999));
  });
});

describe('If-None-Match', () => {
  const tag = 'W/"abc"';

  it.each(['W/"abc"', '"abc"', 'W/"x", W/"abc"', ' "x" , "abc" ', '*'])('%s names the tag', (header) => {
    expect(matchesEtag(header, tag)).toBe(true);
  });

  it.each(['', 'abc', '"ab"', 'W/"abd"', '"*"'])('%s does not', (header) => {
    expect(matchesEtag(header, tag)).toBe(false);
  });
});
