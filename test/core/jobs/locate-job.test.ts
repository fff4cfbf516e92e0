import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { locateJob } from '../../../core/jobs/locate-job.ts';
import type { JobListing } from '../../../core/jobs/ports.ts';
import { claim, create } from '../../../core/jobs/transitions.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { aRequest, later, urlSecret } from '../../builders/jobs/jobs.ts';

const at = (seconds: number) => later(seconds * 1_000);

/** A stage on which an owner's jobs, created at second 0, were claimed every ten seconds; `waiting` of them still wait. */
async function aLine({ waiting, claimed = 8 }: { waiting: number; claimed?: number }) {
  const jobs = memoryJobTable();
  const clock = aVirtualClock(at(claimed * 10));
  let created = 0;
  const submit = async (ownerId: string, seconds: number) => {
    const jobId = v7({ msecs: at(seconds).getTime(), seq: ++created });
    const { job } = create({ ownerId, jobId, request: aRequest, urlSecret, now: at(seconds) });
    await jobs.write({ job, guard: { absent: true } });
    return job;
  };
  const line = [];
  for (let n = 0; n < claimed + waiting; n += 1) {
    const job = await submit('busy', 0);
    if (n < claimed) {
      await jobs.write(claim(job, `lease-${n}`, at((n + 1) * 10)));
    } else line.push(job);
  }
  const listings: JobListing[] = [];
  const list: typeof jobs.list = async (listing) => {
    listings.push(listing);
    return jobs.list(listing);
  };
  const locate = (job: Parameters<typeof locateJob>[1]) => locateJob({ jobs: { ...jobs, list }, clock }, job);
  return { clock, line, listings, submit, locate };
}

describe('the position of a queued job', () => {
  it('is that in the order of claims, and its start follows from the pace', async () => {
    const { line, locate, clock } = await aLine({ waiting: 5 });
    const [first, , third] = line;
    if (first === undefined || third === undefined) throw new Error('Five jobs wait');
    expect(await locate(first)).toEqual({
      position: 1,
      estimatedStartAt: new Date(clock.now().getTime() + 10_000).toISOString(),
    });
    expect(await locate(third)).toMatchObject({
      position: 3,
      estimatedStartAt: new Date(clock.now().getTime() + 30_000).toISOString(),
    });
  });

  it('behind hundreds is counted', async () => {
    const { line, locate } = await aLine({ waiting: 450 });
    const last = line.at(-1);
    if (last === undefined) throw new Error('450 jobs wait');
    expect(await locate(last)).toMatchObject({ position: 450 });
  });

  it('behind a thousand or more is 1,001, without an estimate', async () => {
    const { line, locate } = await aLine({ waiting: 1_005 });
    const [beforeLimit, last] = [line[999], line.at(-1)];
    if (beforeLimit === undefined || last === undefined) throw new Error('1,005 jobs wait');
    expect(await locate(beforeLimit)).toMatchObject({ position: 1_000, estimatedStartAt: expect.any(String) });
    expect(await locate(last)).toEqual({ position: 1_001 });
  });

  it('is that among the jobs of its owner, whose order it tells nobody else', async () => {
    const { locate, submit } = await aLine({ waiting: 200 });
    expect(await locate(await submit('few', 81))).toEqual({ position: 1 });
  });

  it('takes one read of the jobs before it, of which its owner may have deleted many', async () => {
    const { line, locate, listings } = await aLine({ waiting: 1 });
    const [first] = line;
    if (first === undefined) throw new Error('A job waits');
    await locate(first);
    expect(listings).toMatchObject([{ ownerId: 'busy', maxReads: 1 }]);
  });

  it('has no estimated start while the pace is unknown', async () => {
    const { line, locate } = await aLine({ waiting: 2, claimed: 2 });
    const [first] = line;
    if (first === undefined) throw new Error('Two jobs wait');
    expect(await locate(first)).toEqual({ position: 1 });
  });
});
