import { searchedName } from '../../core/jobs/download-name.ts';
import { dueKind, dueShard } from '../../core/jobs/durations.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import { queueOf } from '../../core/jobs/queues.ts';
import { isTerminal, type JobRecord, jobRecordSchema } from '../../core/jobs/record.ts';
import { UnreadableJobError } from '../../core/jobs/unreadable-job-error.ts';
import { version } from '../../core/version.ts';
import { eventsFromText, eventText } from './event-text.ts';
import { compressJson, decompressJson, fromItem, type Item, type JsonDictionary, toItem } from './item.ts';
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

export function jobKey({ ownerId, jobId }: JobRef): Item {
  return toItem({ pk: ownerPartition(ownerId), sk: jobSort(jobId) });
}

/** Converts a record to an item. Its ids become the primary key; adds the keys of the indexes that list it, and
 * the version of the service that wrote it, for operators. */
export function jobItem(job: JobRecord): Item {
  const { ownerId: _, jobId: __, events, ...fields } = job;
  return {
    ...toItem({
      ...packFields(fields),
      events: events && eventText(events),
      writtenBy: version,
      nameSort: nameSortOf(job),
      stateKey: isTerminal(job) ? statePartition(job.ownerId, job.state) : undefined,
      ...(job.state === 'queued'
        ? {
            waitingPartition: waitingPartition(queueOf(job)),
            waitingSort: waitingSort({ ...job, priority: job.request.priority }),
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
  const { pk, sk, events: text, ...fields } = fromItem(item);
  const events = typeof text === 'string' ? { events: eventsFromText(text) } : {};
  const ids = { ownerId: ownerIdFromPartition(String(pk)), jobId: jobIdFromSort(String(sk)) };
  const writtenBy = typeof fields.writtenBy === 'string' ? fields.writtenBy : undefined;
  try {
    return jobRecordSchema.parse({ ...unpackFields(fields), ...events, ...ids });
  } catch (cause) {
    return new UnreadableJobError({ ...ids, ...(writtenBy && { writtenBy }) }, cause);
  }
}

/** Fields of a job that no condition, filter or update names. */
const packedNames = [
  'request',
  'files',
  'cost',
  'chunking',
  'stageMs',
  'functionUse',
  'measurements',
  'warnings',
  'unpublished',
  'error',
  'deliveredAttempt',
];

/**
 * A job's fields as its item has them: the large ones as JSON, compressed into the attribute `packed` after the number of
 * the dictionary. Most records then have less than a kilobyte, which a write costs a unit for.
 */
export function packFields(fields: Record<string, unknown>): Record<string, unknown> {
  const isPacked = ([name, value]: [string, unknown]) => packedNames.includes(name) && value !== undefined;
  const all = Object.entries(fields);
  const large = all.filter(isPacked);
  if (large.length === 0) return fields;
  const compressed = compressJson(Object.fromEntries(large), jobDictionary);
  const packed = Buffer.concat([Buffer.of(jobDictionary.number), compressed]);
  return { ...Object.fromEntries(all.filter((field) => !isPacked(field))), packed };
}

/**
 * The fields of a job from those of its item.
 * @throws Error if they were packed with another dictionary
 */
export function unpackFields({ packed, ...fields }: Record<string, unknown>): Record<string, unknown> {
  if (!(packed instanceof Uint8Array)) return fields;
  const unpacked = decompressJson(packed.subarray(1), { number: packed[0], known: jobDictionary });
  return { ...fields, ...(unpacked as Record<string, unknown>) };
}

/**
 * What the packed fields of most jobs have in common, for Zstandard, the most frequent at the end. Never change it: a
 * stored job can only be read with the dictionary that it was written with. To replace it, add another one and its number.
 */
export const jobDictionary: JsonDictionary = {
  number: 1,
  text: Buffer.from(
    [
      '"file_type":"image","file_format":"jpg","mime_type":"image/jpeg","file_type":"audio","codec":"aac"',
      '&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=&X-Amz-Date=2026&X-Amz-Expires=3600&X-Amz-SignedHeaders=host&X-Amz-Signature=',
      '"error":{"code":"TRANSCODE_ERROR","message":"","stage":"transcoding","retryable":false},"metadata":{"',
      '{"request":{"mode":"recipe","input":{"url":"https://.s3.amazonaws.com/"},"output":{"format":"mp4"},"recipe":{"name":"compress","crf":28,"preset":"medium","audioBitrate":128},"webhookUrl":"https://"},',
      '"functionUse":{"workerMs":5218,"taskMs":0,"tasks":0,"executions":0},',
      '"chunking":{"chunks":1,"reason":"Encoded in a single pass: it lasts 12.0 s; only videos of at least 120 s are split into chunks"},',
      '"cost":{"transcoding":255665,"disk":1532,"chunks":0,"fargate":0,"api":3867,"records":10726,"webhook":9533,"files":9044,"logs":3000,"traces":15000},',
      '"files":{"output":{"file_id":"01a20ba6-","filename":"in.mp4","size_mbytes":0.175808,"file_type":"video","file_format":"mp4","mime_type":"video/mp4","duration":12.002,"codec":"h264","width":1280,"height":720,"key":"jobs/01a20ba6-/1/output.mp4"}}}',
    ].join(''),
  ),
};
