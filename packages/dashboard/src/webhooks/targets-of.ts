import type { JobResource } from '@media-jobs/core/api';

export type FailingTarget = { host: string; jobIds: string[]; lastAt: string };

/** The hosts of the webhooks of jobs, the one with most of them first. `lastAt` is when the latest of the jobs ended. */
export function targetsOf(jobs: readonly Pick<JobResource, 'jobId' | 'webhook' | 'completedAt'>[]): FailingTarget[] {
  const byHost = Map.groupBy(jobs, ({ webhook }) => webhook?.host ?? '');
  return [...byHost]
    .map(([host, ofHost]) => ({
      host,
      jobIds: ofHost.map(({ jobId }) => jobId),
      lastAt:
        ofHost
          .map(({ completedAt }) => completedAt ?? '')
          .toSorted()
          .at(-1) ?? '',
    }))
    .toSorted((one, other) => other.jobIds.length - one.jobIds.length);
}
