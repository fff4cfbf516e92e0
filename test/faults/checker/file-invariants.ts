import { isDeleted, type JobHistory, listedKeys } from './history.ts';
import { jobInvariant } from './invariant.ts';

function keysLeft({ objects }: JobHistory): Set<string> {
  const keys = new Set<string>();
  for (const { kind, key } of objects) {
    if (kind === 'object-stored') keys.add(key);
    else keys.delete(key);
  }
  return keys;
}

export const completedFilesExist = jobInvariant('every listed file of a completed job exists', (job) => {
  const completedAt =
    job.writes.find(({ after }) => after.state === 'completed')?.at ?? Number.POSITIVE_INFINITY;
  const deletedAt = job.writes.find(({ after }) => after.state === 'deleted')?.at ?? Number.POSITIVE_INFINITY;
  return listedKeys(job).flatMap((key) => {
    const wasStored = job.objects.some(
      (o) => o.kind === 'object-stored' && o.key === key && o.at <= completedAt,
    );
    const removal = job.objects.find((o) => o.kind === 'object-removed' && o.key === key && o.at < deletedAt);
    if (!wasStored) return [`was completed before ${key} was stored`];
    return removal === undefined ? [] : [`lost its file ${key}`];
  });
});

export const noOrphanedObjects = jobInvariant(
  'no object of a superseded attempt remains after the sweep',
  (job) => {
    const wanted = isDeleted(job) ? [] : listedKeys(job);
    return [...keysLeft(job)].filter((key) => !wanted.includes(key)).map((key) => `left ${key} behind`);
  },
);

export const noLogsOfDeletedJobs = jobInvariant('no log of a deleted job remains after the sweep', (job) => {
  const count = job.logs.at(-1)?.count ?? 0;
  return isDeleted(job) && count > 0 ? [`left ${count} logs behind`] : [];
});
