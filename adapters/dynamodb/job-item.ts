import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { dueKind, dueShard } from '../../core/jobs/durations.ts';
import type { Guard } from '../../core/jobs/guard.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import { queueOf } from '../../core/jobs/queues.ts';
import { isTerminal, type JobRecord, jobRecordSchema } from '../../core/jobs/record.ts';
import { searchedName } from '../../core/jobs/request-inputs.ts';
import type { JobEvent } from '../../core/jobs/states.ts';
import { UnreadableJobError } from '../../core/jobs/unreadable-job-error.ts';
import { version } from '../../core/version.ts';
import { type Condition, fromItem, type Item, isNew, toItem } from './table.ts';
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
  'storedFiles',
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

/** The letter of each state. Never change one: stored jobs have them. */
const letters = {
  queued: 'q',
  processing: 'p',
  completed: 'c',
  failed: 'f',
  rejected: 'r',
  cancelled: 'x',
  skipped: 's',
};

const states = new Map(Object.entries(letters).map(([state, letter]) => [letter, state]));

/**
 * The events of a job as a text, a sixth of their size, so that most records stay below a write unit: the letter of the state and
 * the milliseconds since the event before in base 36, and of an output `.`, its letter and its name.
 */
function eventText(events: readonly JobEvent[]): string {
  const texts = events.map(({ state, at, output }, index) => {
    const sinceMs = at - (events[index - 1]?.at ?? 0);
    return `${letters[state]}${sinceMs.toString(36)}${output ? `.${letters[output.state]}${output.name}` : ''}`;
  });
  return texts.join(' ');
}

/** The reverse of `eventText`, for the schema of a record. */
function eventsFromText(text: string): unknown[] {
  let at = 0;
  return text.split(' ').map((event) => {
    const [time = '', output] = event.split('.');
    at += Number.parseInt(time.slice(1), 36);
    const named = output && { output: { name: output.slice(1), state: states.get(output.charAt(0)) } };
    return { state: states.get(time.charAt(0)), at, ...named };
  });
}

/** A text to which Zstandard refers, and its number in the items of the table. */
export type JsonDictionary = { number: number; text: Buffer };

/** Higher levels take up to a hundred times as long for a few bytes less. */
const params = { [constants.ZSTD_c_compressionLevel]: 6 };

/** More than an item can hold, so that no item makes a function run out of memory. */
const maxOutputLength = 8_000_000;

/** Compresses a value as JSON: DynamoDB writes a unit for each begun kilobyte. */
export function compressJson(value: unknown, { text }: JsonDictionary): Buffer<ArrayBuffer> {
  return zstdCompressSync(JSON.stringify(value), { params, dictionary: text });
}

/**
 * Decompresses a value.
 * @param number the number of the dictionary that it was compressed with
 * @throws Error unless that is the known one
 */
export function decompressJson(
  compressed: Uint8Array,
  { number, known }: { number: number | undefined; known: JsonDictionary },
): unknown {
  if (number !== known.number) {
    throw new Error(`Another version wrote this item (dictionary ${number}): deploy that version`);
  }
  return JSON.parse(zstdDecompressSync(compressed, { dictionary: known.text, maxOutputLength }).toString());
}

/**
 * Converts a guard to a condition expression of DynamoDB: one term per field, joined by AND. A field that is `undefined` must be
 * absent, as one that is `null`.
 */
export function guardCondition(guard: Guard): Condition {
  if ('absent' in guard) return isNew;
  const fields = Object.entries(guard).map(([field, expected]) => [field, expected ?? null] as const);
  const terms = fields.map(([field, expected]) => {
    const path = field === 'deliveryId' ? '#pendingDelivery.#id' : `#${field}`;
    return expected === null ? `attribute_not_exists(${path})` : `${path} = :${field}`;
  });
  const expression = terms.join(' AND ');
  const values = fields.filter(([, expected]) => expected !== null);
  return {
    ConditionExpression: expression,
    ExpressionAttributeNames: Object.fromEntries(
      (expression.match(/#\w+/g) ?? []).map((name) => [name, name.slice(1)]),
    ),
    ...(values.length === 0
      ? {}
      : { ExpressionAttributeValues: toItem(Object.fromEntries(values.map(([f, v]) => [`:${f}`, v]))) }),
  };
}
