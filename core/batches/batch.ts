import * as z from 'zod';
import type { Principal } from '../access/authentication.ts';
import { keyGrantSchema } from '../access/key-record.ts';
import { AppError } from '../errors.ts';
import { addMs } from '../jobs/durations.ts';
import type { Clock } from '../jobs/ports.ts';
import { jsonText } from '../json-text.ts';
import { timestampSchema } from '../timestamp.ts';
import type { Watch } from '../watches/watch.ts';

/** The states of a batch: `capped` while its `maxUsd` leaves nothing for a further line. The last three are final. */
export const batchStates = ['queued', 'running', 'capped', 'completed', 'cancelled', 'failed'] as const;

export const maxManifestLines = 100_000;
export const maxManifestBytes = 100_000_000;
export const maxLineBytes = 16 * 1024;

/** Objects of one backfill at most: as many as a watch holds. */
export const maxListedObjects = 1_000_000;

/** Unfinished jobs of one batch at most. The rest of its lines wait in the manifest, where no time-out ends them. */
const maxUnfinishedLines = 1_000;

/** The owner, and the key whose limits, caps and usage the jobs have; without a key a session started the batch. */
const authorSchema = z.object({
  ownerId: z.string(),
  key: keyGrantSchema.optional(),
  parent: keyGrantSchema.optional(),
});

const rangeSchema = z.object({ p50: z.number().min(0), p90: z.number().min(0) });

/** What the jobs of a backfill will take, by the listing and the headers of some of its objects. */
export const batchEstimateSchema = z.object({
  objects: z.int().min(0),
  /** Objects whose header was read. */
  sampled: z.int().min(0),
  /** Of media. */
  hours: z.number().min(0),
  usd: rangeSchema,
  /** From the first job to the end of the last, on a stage without other work. */
  seconds: rangeSchema,
});

export type BatchEstimate = z.output<typeof batchEstimateSchema>;

/** The record of a batch: one item, whose every write requires the version that was read. */
export const batchSchema = z.object({
  ownerId: z.string(),
  batchId: z.string(),
  /** 0: there is no batch. */
  version: z.int(),
  author: authorSchema,
  /** Unset for a backfill, whose manifest is the listing of a watch. */
  manifestUrl: z.string().optional(),
  backfill: z
    .object({
      watch: z.string(),
      /** The keys of objects that get a further job; without it, those that have none get one. */
      again: z.array(z.string()).optional(),
      /** No job is made. */
      isEstimate: z.boolean(),
    })
    .optional(),
  estimate: batchEstimateSchema.optional(),
  /** A job without its input. */
  request: z.record(z.string(), z.unknown()),
  maxUsd: z.number().positive().optional(),
  state: z.enum(batchStates),
  createdAt: timestampSchema,
  /** When all of its jobs have ended. */
  endedAt: timestampSchema.optional(),
  /** Executions of the state machine that were started. Only the last one goes on. */
  starts: z.int(),
  /** When reconcile starts the next execution, unless the batch is written before. Unset once it has ended. */
  dueAt: timestampSchema.optional(),
  /** Bytes of the copy of the manifest in the media bucket; unset until it is read. */
  manifestBytes: z.int().optional(),
  /** The byte at which the next line begins. */
  offset: z.int(),
  /** Lines before the offset. */
  line: z.int(),
  total: z.int(),
  submitted: z.int(),
  completed: z.int(),
  failed: z.int(),
  spentUsd: z.number(),
  /** The submitted jobs that have not ended as far as is known. */
  unfinished: z.array(z.string()),
  /** Where the next look at them begins. */
  lookFrom: z.int(),
  /** Key of the report. A report with more lines has another one. */
  reportKey: z.string().optional(),
  /** Why the manifest could not be read, or why no line is submitted at present. */
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      /** How often the line at the offset was submitted in vain for an error of the service. */
      tries: z.int().optional(),
    })
    .optional(),
});

export type Batch = z.output<typeof batchSchema>;
export type BatchRef = Pick<Batch, 'ownerId' | 'batchId'>;

/** A line that made no completed job, as the report has it. `line` counts from 1, for a line that made no job at all. */
export type LineFailure = { id: string | null; line?: number; jobId: string | null; code: string; message: string };

export type BatchTable = {
  get(ref: BatchRef): Promise<Batch | undefined>;
  /** Writes over the version of the batch, which is one less in the table; false if there is another one. */
  write(batch: Batch): Promise<boolean>;
  /** A page, newest first. */
  list(
    ownerId: string,
    page: { limit: number; beforeId?: string | undefined },
  ): Promise<{ batches: Batch[]; lastId?: string }>;
  /** Batches of which no execution has written for minutes. */
  due(now: Date): Promise<BatchRef[]>;
};

/** What an execution of the state machine hands from step to step. */
export const batchStepSchema = z.object({
  ownerId: z.string(),
  batchId: z.string(),
  start: z.int(),
  step: z.int(),
  waitSeconds: z.number(),
});

export type BatchStep = z.output<typeof batchStepSchema>;

export type BatchMachine = { start(execution: { name: string; input: BatchStep }): Promise<unknown> };

/** More than the time-out of the step that copies the manifest, and than any other step takes. */
const openWithinMs = 6 * 60_000;
export const stepWithinMs = 2 * 60_000;

/** A batch counts as one that has not ended for this long after its last step: longer than the wait for the next one. */
const openMs = 10 * 60_000;

/** The entry of a batch in the limit of those of its owner that have not ended. */
export function openEntry({ ownerId, batchId }: BatchRef, now: Date) {
  return { limit: ownerId, name: batchId, endsAt: new Date(now.getTime() + openMs) };
}

type NewBatch = Pick<Batch, 'batchId' | 'manifestUrl' | 'backfill' | 'request' | 'maxUsd'> & {
  principal: Principal;
  createdAt: Date;
};

export function createBatch({ principal, createdAt, ...fields }: NewBatch): Batch {
  const { ownerId } = principal;
  const keys = principal.caller === 'key' ? { key: principal.key, parent: principal.parent } : {};
  const counts = { offset: 0, line: 0, total: 0, submitted: 0, completed: 0, failed: 0, spentUsd: 0, lookFrom: 0 };
  return {
    ...fields,
    ...counts,
    ownerId,
    author: { ownerId, ...keys },
    version: 1,
    state: 'queued',
    createdAt: createdAt.toISOString(),
    starts: 1,
    dueAt: addMs(createdAt, openWithinMs),
    unfinished: [],
  };
}

/** The caller for whom the jobs of a batch are made. A key that was revoked since makes the rest of them too. */
export function authorOf({ author: { ownerId, key, parent } }: Batch): Principal {
  return key === undefined
    ? { ownerId, caller: 'session' }
    : { ownerId, caller: 'key', key, ...(parent && { parent }) };
}

/** Starts the execution that a batch names as its last. */
export async function startBatch(machine: BatchMachine, { ownerId, batchId, starts }: Batch): Promise<void> {
  const input = { ownerId, batchId, start: starts, step: 0, waitSeconds: 0 };
  await machine.start({ name: `${batchId}-${starts}`, input });
}

/** Whether lines may still be submitted. */
export function isOpen({ state }: Batch): boolean {
  return state === 'running' || state === 'capped';
}

/**
 * Dollars of one job as far as they are known when it is submitted: the mean of those that have ended, else of the estimate, else
 * those of a minute.
 */
function expectedUsd(batch: Batch, minuteUsd: number): number {
  const { request, spentUsd, submitted, unfinished, estimate } = batch;
  if (typeof request.maxCostUsd === 'number') return request.maxCostUsd;
  const ended = submitted - unfinished.length;
  if (ended > 0 && spentUsd > 0) return spentUsd / ended;
  return estimate && estimate.usd.p50 > 0 ? estimate.usd.p50 / estimate.objects : minuteUsd;
}

/** Dollars of all submitted jobs: the costs of those that have ended, and what the others are expected to cost. */
export function usdOf(batch: Batch, minuteUsd: number): number {
  return batch.spentUsd + batch.unfinished.length * expectedUsd(batch, minuteUsd);
}

/** Lines that may be submitted now, by the window of unfinished jobs and the cap. */
export function roomOf(batch: Batch, minuteUsd: number): number {
  const room = maxUnfinishedLines - batch.unfinished.length;
  if (batch.maxUsd === undefined) return room;
  const affordable = Math.floor((batch.maxUsd - usdOf(batch, minuteUsd)) / expectedUsd(batch, minuteUsd) + 1e-9);
  return Math.max(0, Math.min(room, affordable));
}

/** The prefix of what the batches of an owner have in the media bucket. */
export const batchesOfOwner = (ownerId: string) => `work/batches/${ownerId}/`;
export const batchPrefix = ({ ownerId, batchId }: BatchRef) => `${batchesOfOwner(ownerId)}${batchId}/`;
export const manifestKey = (batch: BatchRef) => `${batchPrefix(batch)}manifest.jsonl`;

/** A line of the listing of a backfill. Without an ETag there is no object of this key. */
export const listedLineSchema = jsonText(
  z.object({
    id: z.string(),
    versionId: z.string().optional(),
    etag: z.string().optional(),
    sizeBytes: z.number().default(0),
  }),
);

/** The watch of a backfill, with the version of its preset that the whole backfill keeps. Throws AppError NOT_FOUND. */
export function watchOfBackfill(
  ofStage: readonly Watch[],
  { ownerId, backfill, request }: Pick<Batch, 'ownerId' | 'backfill' | 'request'>,
): Watch {
  const watch = ofStage.find(({ name, ownerId: owner }) => name === backfill?.watch && owner === ownerId);
  if (watch === undefined) throw new AppError('NOT_FOUND', `There is no watch ${backfill?.watch} any more.`);
  return { ...watch, preset: String(request.preset) };
}

type ResumeBatchesDeps = {
  batches: Pick<BatchTable, 'get' | 'write' | 'due'>;
  machine: BatchMachine;
  clock: Pick<Clock, 'now'>;
};

/**
 * Starts the next execution of each batch that is due: none has written it for minutes, or the last one has taken all its steps.
 * Returns the number of batches.
 */
export async function resumeBatches(deps: ResumeBatchesDeps): Promise<number> {
  const due = await deps.batches.due(deps.clock.now());
  for (const ref of due) await resumeBatch(deps, ref);
  return due.length;
}

async function resumeBatch({ batches, machine, clock }: ResumeBatchesDeps, ref: BatchRef): Promise<void> {
  const batch = await batches.get(ref);
  const now = clock.now();
  if (batch?.dueAt === undefined || batch.dueAt > now.toISOString()) return;
  const dueAt = addMs(now, openWithinMs);
  const next = { ...batch, version: batch.version + 1, starts: batch.starts + 1, dueAt };
  if (await batches.write(next)) await startBatch(machine, next);
}
