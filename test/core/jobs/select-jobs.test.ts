import { type Random, seededRandom } from '@media-jobs/testing/random';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../../core/jobs/record.ts';
import { deleteJob } from '../../../core/jobs/removal-transitions.ts';
import { searchedName } from '../../../core/jobs/request-inputs.ts';
import { type JobSelection, selectJobs } from '../../../core/jobs/select-jobs.ts';
import { jobStates } from '../../../core/jobs/states.ts';
import { reconcile } from '../../../functions/reconcile/app.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memoryMetadataIndex } from '../../../lab/simulation/memory/metadata-index.ts';
import { memoryRunningLimit } from '../../../lab/simulation/memory/running-limit.ts';
import { aCancelledJob, aCompletedJob, aFailedJob, aRejectedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aProcessingJob, aQueuedJob, aRequest, later } from '../../builders/jobs/jobs.ts';
import { reconcileDeps } from '../../builders/jobs/reconcile-deps.ts';

const ownerId = 'owner-1';
const minute = (n: number) => later(n * 60_000);
const names = ['Holiday 1.mov', 'holiday-2.mov', 'Käse.mp4', 'x.mp4'] as const;

function aRandomJob(random: Random, n: number): Job {
  const createdAt = minute(n);
  const request = {
    ...aRequest,
    input: { url: `https://media.example/${encodeURIComponent(random.pick(names))}` },
    metadata: { order: String(random.between(1, 4)), ...(random.chance(0.5) ? { team: '2' } : {}) },
  };
  const base = { ownerId, jobId: aJobId(n, createdAt), request };
  const ended = {
    ...base,
    createdAt: createdAt.toISOString(),
    completedAt: minute(n + random.between(1, 9)).toISOString(),
  };
  switch (random.pick(jobStates)) {
    case 'queued':
      return aQueuedJob({ ...base, createdAt });
    case 'processing':
      return aProcessingJob({ ...base, createdAt });
    case 'completed':
      return aCompletedJob(ended);
    case 'failed':
      return aFailedJob(ended);
    case 'rejected':
      return aRejectedJob(ended);
    case 'cancelled':
      return aCancelledJob(ended);
  }
}

async function anOwner(all: readonly Job[]) {
  const deps = { jobs: memoryJobTable(), running: memoryRunningLimit(), metadataIndex: memoryMetadataIndex() };
  for (const job of all) {
    await deps.jobs.write({ job, guard: { absent: true } });
    await deps.metadataIndex.add({ ...job, metadata: job.request.metadata ?? {} });
    if (job.state === 'processing') await deps.running.enter(job, { max: 100 });
  }
  return deps;
}

/** Every job of a selection, by its definition. */
function expected(all: readonly Job[], selection: Omit<JobSelection, 'ownerId' | 'limit'>): string[] {
  const {
    states = [],
    metadata = {},
    search,
    createdAfter,
    createdBefore,
    completedAfter,
    completedBefore,
  } = selection;
  const isIn = (at: string | undefined, from?: Date, to?: Date) =>
    (from === undefined || (at !== undefined && at >= from.toISOString())) &&
    (to === undefined || (at !== undefined && at < to.toISOString()));
  const ids = all
    .filter((job) => states.length === 0 || states.includes(job.state))
    .filter(({ request }) => Object.entries(metadata).every(([key, value]) => request.metadata?.[key] === value))
    .filter((job) => isIn(job.createdAt, createdAfter, createdBefore))
    .filter((job) => isIn('completedAt' in job ? job.completedAt : undefined, completedAfter, completedBefore))
    .filter(
      ({ jobId, request }) =>
        search === undefined ||
        jobId === search ||
        searchedName(request).startsWith(search.toLowerCase()) ||
        Object.values(request.metadata ?? {}).includes(search),
    )
    .map(({ jobId }) => jobId)
    .sort();
  return selection.order === 'asc' ? ids : ids.reverse();
}

describe('a selection of jobs', () => {
  it('has each job that matches it once, in order, over all its pages', async () => {
    const random = seededRandom(7);
    const all = Array.from({ length: 60 }, (_, n) => aRandomJob(random, n + 1));
    const deps = await anOwner(all);
    const someStates = () => jobStates.filter(() => random.chance(0.4));
    const maybe = <T>(value: T): T | undefined => (random.chance(0.4) ? value : undefined);
    for (let round = 0; round < 300; round += 1) {
      const times = () => maybe(minute(random.between(1, 60)));
      const isSearch = random.chance(0.3);
      const selection = {
        states: someStates(),
        order: random.pick(['asc', 'desc'] as const),
        createdAfter: times(),
        createdBefore: times(),
        completedAfter: maybe(minute(random.between(1, 60))),
        completedBefore: times(),
        metadata: isSearch ? undefined : maybe({ order: '2', ...(random.chance(0.5) ? { team: '2' } : {}) }),
        search: isSearch ? random.pick(['HOLI', 'Kä', '2', aJobId(3, minute(3)), 'nothing']) : undefined,
      };
      const found: string[] = [];
      let afterJobId: string | undefined;
      do {
        const page = await selectJobs(deps, { ownerId, limit: random.between(1, 7), afterJobId, ...selection });
        found.push(...page.jobs.map(({ jobId }) => jobId));
        afterJobId = page.lastJobId;
      } while (afterJobId !== undefined);
      expect(found, JSON.stringify(selection)).toEqual(expected(all, selection));
    }
  });

  it('ends a page early after a thousand jobs of an index that other filters leave out', async () => {
    const request = { ...aRequest, metadata: { order: '17' } };
    const all = Array.from({ length: 1_200 }, (_, n) => aQueuedJob({ jobId: aJobId(n + 1), request }));
    const deps = await anOwner(all);
    const selection = { ownerId, limit: 100, metadata: { order: '17' }, states: ['failed' as const] };
    const first = await selectJobs(deps, selection);
    expect(first).toMatchObject({ jobs: [], lastJobId: aJobId(201) });
    expect(await selectJobs(deps, { ...selection, afterJobId: first.lastJobId })).toMatchObject({
      lastJobId: undefined,
    });
  });
});

it('the entries of a deleted job in the index of metadata are removed', async () => {
  const job = aCancelledJob({ request: { ...aRequest, metadata: { order: '17' } } });
  const { jobs, metadataIndex } = await anOwner([job]);
  await jobs.write(deleteJob(job, later(120_000)));
  await reconcile(reconcileDeps({ jobs, metadataIndex }))(later(660_000));
  expect(await metadataIndex.find({ ownerId, value: '17', limit: 1 })).toEqual([]);
  expect(await jobs.get(job)).not.toHaveProperty('metadata');
});
