import { searchedName } from '../../core/jobs/download-name.ts';
import { dueKind, dueShard } from '../../core/jobs/due-work.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import { queueOf } from '../../core/jobs/queues.ts';
import { isTerminal, type JobRecord, jobRecordSchema } from '../../core/jobs/record.ts';
import { UnreadableJobError } from '../../core/jobs/unreadable-job-error.ts';
import { version } from '../../core/version.ts';
import { fromItem, type Item, toItem } from './item.ts';
import { packFields, unpackFields } from './packed-fields.ts';
import {
  duePartition,
  jobIdFromSort,
  jobSort,
  nameSort,
  ownerIdFromPartition,
  ownerPartition,
  statePartition,
  waitingPartition,
  waitingSort,
} from './table-keys.ts';

/** The primary key of a job's item. */
export function jobKey({ ownerId, jobId }: JobRef): Item {
  return toItem({ pk: ownerPartition(ownerId), sk: jobSort(jobId) });
}

/** Converts a record to an item. Its ids become the primary key; adds the keys of the indexes that list it, and
 * the version of the service that wrote it, for operators. */
export function jobItem(job: JobRecord): Item {
  const { ownerId: _, jobId: __, ...fields } = job;
  return {
    ...toItem({
      ...packFields(fields),
      writtenBy: version,
      nameSort: nameSortOf(job),
      stateKey: isTerminal(job) ? statePartition(job.ownerId, job.state) : undefined,
      ...(job.state === 'queued'
        ? {
            waitingPartition: waitingPartition(queueOf(job)),
            waitingSort: waitingSort(job.ownerId, job.jobId),
          }
        : {}),
      duePartition: job.dueAt === undefined ? undefined : duePartition(dueKind(job), dueShard(job.jobId)),
    }),
    ...jobKey(job),
  };
}

function nameSortOf(job: JobRecord): string | undefined {
  if (job.state === 'deleted') return undefined;
  const name = searchedName(job.request);
  return name === '' ? undefined : nameSort(name, job.jobId);
}

/** Parses a stored item. Throws UnreadableJobError for one that this version of the service cannot read. */
export function jobFromItem(item: Item): JobRecord {
  const job = tryJobFromItem(item);
  if (job instanceof UnreadableJobError) throw job;
  return job;
}

/** Parses a stored item, or returns the error of one that this version of the service cannot read. */
export function tryJobFromItem(item: Item): JobRecord | UnreadableJobError {
  const { pk, sk, ...fields } = fromItem(item);
  const ids = { ownerId: ownerIdFromPartition(String(pk)), jobId: jobIdFromSort(String(sk)) };
  const writtenBy = typeof fields.writtenBy === 'string' ? fields.writtenBy : undefined;
  try {
    return jobRecordSchema.parse({ ...unpackFields(fields), ...ids });
  } catch (cause) {
    return new UnreadableJobError({ ...ids, ...(writtenBy && { writtenBy }) }, cause);
  }
}
