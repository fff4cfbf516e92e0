import { isDeleted, type JobHistory, keptKeys, listedKeys, providerKeys } from './history.ts';
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
  const completedAt = job.writes.find(({ after }) => after.state === 'completed')?.at ?? Number.POSITIVE_INFINITY;
  const deletedAt = job.writes.find(({ after }) => after.state === 'deleted')?.at ?? Number.POSITIVE_INFINITY;
  return listedKeys(job).flatMap((key) => {
    const wasStored = job.objects.some((o) => o.kind === 'object-stored' && o.key === key && o.at <= completedAt);
    const removal = job.objects.find((o) => o.kind === 'object-removed' && o.key === key && o.at < deletedAt);
    if (!wasStored) return [`was completed before ${key} was stored`];
    return removal === undefined ? [] : [`lost its file ${key}`];
  });
});

export const unpublishedFilesExist = jobInvariant('every file that waits for a retry exists', (job) => {
  const left = keysLeft(job);
  return keptKeys(job).flatMap((key) => (left.has(key) ? [] : [`lost ${key}`]));
});

export const noOrphanedObjects = jobInvariant('no object of a superseded attempt remains after the sweep', (job) => {
  const wanted = isDeleted(job) ? [] : [...listedKeys(job), ...keptKeys(job)];
  return [...keysLeft(job)].filter((key) => !wanted.includes(key)).map((key) => `left ${key} behind`);
});

export const noLogsOfDeletedJobs = jobInvariant('no log of a deleted job remains after the sweep', (job) => {
  const count = job.logs.at(-1)?.count ?? 0;
  return isDeleted(job) && count > 0 ? [`left ${count} logs behind`] : [];
});

/** The marks of the objects at the storage provider by key, after every event up to a time. */
function visibleAt({ provider }: JobHistory, time: number): Map<string, string> {
  const visible = new Map<string, string>();
  for (const { kind, key, mark, at } of provider) {
    if (at > time) break;
    if (kind === 'provider-published') visible.set(key, mark);
    if (kind === 'provider-unpublished') visible.delete(key);
  }
  return visible;
}

export const providerFilesExist = jobInvariant(
  'every file of a completed job is visible at its storage provider when the job is completed, and stays',
  (job) => {
    const completedAt = job.writes.find(({ after }) => after.state === 'completed')?.at ?? 0;
    const [atEnd, last] = [visibleAt(job, completedAt), visibleAt(job, Number.POSITIVE_INFINITY)];
    return providerKeys(job).flatMap((key) => {
      if (!atEnd.has(key)) return [`was completed before ${key} was visible`];
      return last.has(key) ? [] : [`lost its file ${key} at the provider`];
    });
  },
);

export const nothingLeftAtProvider = jobInvariant(
  'at a storage provider no unfinished upload is left, and no file of a job that is not completed',
  (job) => {
    const wanted = providerKeys(job);
    const files = [...visibleAt(job, Number.POSITIVE_INFINITY).keys()].filter((key) => !wanted.includes(key));
    const begun = new Map<string, string>();
    for (const entry of job.provider) {
      if (entry.kind === 'provider-begun') begun.set(entry.uploadId, entry.key);
      if (entry.kind === 'provider-ended') begun.delete(entry.uploadId);
    }
    return [
      ...files.map((key) => `left ${key} at the provider`),
      ...[...begun].map(([uploadId, key]) => `left ${uploadId} of ${key} unfinished`),
    ];
  },
);

export const oneAttemptPublishes = jobInvariant('the files of one attempt only become visible', (job) => {
  const published = job.provider.filter(({ kind }) => kind === 'provider-published');
  const removed = job.provider.some(({ kind }) => kind === 'provider-unpublished');
  const marks = new Set(published.map(({ mark }) => mark));
  return marks.size > 1 && !removed ? [`published the attempts ${[...marks].join(' and ')}`] : [];
});

export const visibleFilesComplete = jobInvariant(
  'no job fails because of its storage provider while its files are visible there, unless these were rejected',
  (job) => {
    const failed = job.writes.find(({ after }) => after.state === 'failed');
    if (failed?.after.state !== 'failed') return [];
    const visible = [...visibleAt(job, failed.at).keys()];
    if (visible.length === 0 || failed.after.error.code !== 'UPLOAD_ERROR') return [];
    const isRejected = job.faults.some(({ fault, effect }) => fault === 'fail' && effect === 'provider.complete');
    return isRejected ? [] : visible.map((key) => `failed while ${key} was visible`);
  },
);
