import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { JobError } from '@media-jobs/video/errors';
import { expect, it } from 'vitest';
import type { JobRecord, TerminalJob } from '../../../core/jobs/record.ts';
import { deleteJob, storedFilesOf } from '../../../core/jobs/removal-transitions.ts';
import { reconcile } from '../../../functions/reconcile/app.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memoryObjectStore } from '../../../lab/simulation/memory/object-store.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { later } from '../../builders/jobs/jobs.ts';
import { reconcileDeps } from '../../builders/jobs/reconcile-deps.ts';

const minute = 60_000;
const hour = 60 * minute;
const destination = { storageProviderId: 'sp_1', keyTemplate: '{name}' };
const ended = aCompletedJob({ destination });
const { output } = ended.files;
const stored: TerminalJob = {
  ...ended,
  publication: `work/${ended.jobId}/publications/p1.json`,
  files: output === undefined ? {} : { output: { ...output, storage: { storageProviderId: 'sp_1', key: 'v.mp4' } } },
};

/** Runs of reconcile every minute over a job whose storage provider is down until `downMs`. */
async function runsUntil(job: JobRecord, { downMs, endMs }: { downMs: number; endMs: number }) {
  const jobs = memoryJobTable();
  const clock = aVirtualClock(later(20 * minute));
  const start = clock.now().getTime();
  await jobs.write({ job, guard: { absent: true } });
  const removed: string[] = [];
  const calls: number[] = [];
  const deps = reconcileDeps({
    jobs,
    // No call of these stores takes as long as a time-out.
    clock: { ...clock, sleep: () => new Promise(() => undefined) },
    files: {
      ...reconcileDeps().files,
      removeAll: async (prefix) => {
        removed.push(prefix);
        return 'complete';
      },
    },
    openObjectStore: async () => {
      const ms = clock.now().getTime() - start;
      calls.push(ms);
      if (ms < downMs) throw new JobError('UPLOAD_ERROR', 'The provider does not respond.');
      return { ...memoryObjectStore(), remove: async (key) => void removed.push(key) };
    },
  });
  let expiresAt: number | undefined;
  while (clock.now().getTime() - start < endMs) {
    await reconcile(deps)(new Date(clock.now().getTime() + 40_000));
    const record = await jobs.get(job);
    if (record?.state === 'deleted') {
      expiresAt = record.expiresAt * 1_000 - start;
      // DynamoDB would have removed it.
      if (expiresAt <= clock.now().getTime() - start) break;
    }
    clock.pass(minute);
  }
  return { record: await jobs.get(job), removed, calls, expiresAt };
}

it('files of a deleted job are removed from a provider that comes back after three days', async () => {
  const { job } = deleteJob(stored, later(20 * minute), storedFilesOf(stored));
  const downMs = 72 * hour;
  const { removed, calls, expiresAt, record } = await runsUntil(job, { downMs, endMs: 74 * hour });
  expect(removed).toContain('v.mp4');
  expect(record).not.toHaveProperty('dueAt');
  // Once an hour, and at doubled intervals in the first one.
  expect(calls.length).toBeLessThan(90);
  expect(expiresAt).toBeGreaterThan(downMs + 48 * hour);
});

it('meanwhile the files in the media bucket are removed', async () => {
  const { job } = deleteJob(stored, later(20 * minute), storedFilesOf(stored));
  const { removed } = await runsUntil(job, { downMs: hour, endMs: 5 * minute });
  expect(removed).toContain(`jobs/${job.jobId}/`);
});
