import { ConflictError, mapConcurrent } from '../../core/async.ts';
import {
  authorOf,
  type Batch,
  type BatchRef,
  type LineFailure,
  listedLineSchema,
  roomOf,
  watchOfBackfill,
} from '../../core/batches/batch.ts';
import { AppError, apiErrors } from '../../core/errors.ts';
import type { Clock } from '../../core/jobs/ports.ts';
import { isTerminal } from '../../core/jobs/record.ts';
import { awsFailureOf } from '../../core/net/aws-failure.ts';
import type { AcceptedJob, acceptJob } from '../../core/submission/accept-job.ts';
import {
  idOfLine,
  jobOfLine,
  parseLine,
  type RawLine,
  splitLines,
  withOutput,
} from '../../core/submission/manifest-line.ts';
import { type SubmitObjectDeps, submitObject } from '../../core/watches/submit-object.ts';
import { type OpenWatched, objectHash, type Watch } from '../../core/watches/watch.ts';

export type SubmitLinesDeps = {
  /** Submits a line of a backfill. Throws AppError. */
  submitListed: (batch: Batch, line: NumberedLine) => Promise<Outcome>;
  accept: (accepted: AcceptedJob) => ReturnType<typeof acceptJob>;
  /** Bytes of the manifest from `start` up to `end`. */
  readManifest: (batch: BatchRef, range: { start: number; end: number }) => Promise<Buffer>;
  onUnexpected: (cause: unknown) => void;
  clock: Pick<Clock, 'now'>;
  /** Dollars of a minute of compute: the expected cost of a job until one has ended. */
  minuteUsd: number;
};

const pieceBytes = 128 * 1024;
const concurrency = 16;
/** Lines that are submitted before the time is looked at again. */
const maxLines = 64;

/** Longer than a batch can run: the copy of its manifest ends after 30 days. */
const keyLifetimeMs = 31 * 24 * 3_600_000;

export type NumberedLine = RawLine & { number: number };

export type Outcome =
  | { jobId: string }
  /** Another line has the same id and text. */
  | 'duplicate'
  | { failure: LineFailure }
  /** The line is to be submitted again, with those after it. */
  | { later: NonNullable<Batch['error']> };

type Submitted = { batch: Batch; failures: LineFailure[] };

/** Submits lines while there is room for further jobs, in the order of the manifest. */
export async function submitLines(deps: SubmitLinesDeps, before: Batch, until: Date): Promise<Submitted> {
  const failures: LineFailure[] = [];
  let batch = before;
  const { manifestBytes = 0 } = batch;
  while (batch.offset < manifestBytes && deps.clock.now() < until) {
    const room = roomOf(batch, deps.minuteUsd);
    if (room <= 0) break;
    const lines = (await readLines(deps, batch)).slice(0, Math.min(maxLines, room));
    const outcomes = await submitEach(deps, batch, lines);
    const next = outcomes.findIndex((outcome) => typeof outcome === 'object' && 'later' in outcome);
    const done = next < 0 ? lines.length : next;
    for (const [index, outcome] of outcomes.slice(0, done).entries()) {
      batch = countLine(batch, lines[index], outcome);
      if (typeof outcome === 'object' && 'failure' in outcome) failures.push(outcome.failure);
    }
    const stopped = outcomes[next];
    if (typeof stopped === 'object' && 'later' in stopped)
      return { batch: { ...batch, error: stopped.later }, failures };
  }
  return { batch, failures };
}

function countLine(batch: Batch, line: RawLine | undefined, outcome: Outcome | undefined): Batch {
  const next = { ...batch, error: undefined, offset: line?.end ?? batch.offset, line: batch.line + 1 };
  if (outcome === undefined) return next;
  if (outcome === 'duplicate') return { ...next, total: batch.total - 1 };
  if ('jobId' in outcome)
    return { ...next, submitted: batch.submitted + 1, unfinished: [...batch.unfinished, outcome.jobId] };
  return { ...next, failed: batch.failed + 1 };
}

/** The lines at the batch's offset. A line that is longer than a piece is read whole. */
async function readLines({ readManifest }: SubmitLinesDeps, batch: Batch): Promise<RawLine[]> {
  const { offset, manifestBytes = 0 } = batch;
  for (let bytes = pieceBytes; ; bytes *= 8) {
    const end = Math.min(offset + bytes, manifestBytes);
    const piece = await readManifest(batch, { start: offset, end });
    const lines = splitLines(piece, { offset, isLast: end === manifestBytes });
    if (lines.length > 0 || end === manifestBytes) return lines;
  }
}

/** Undefined for a blank line. */
async function submitEach(
  deps: SubmitLinesDeps,
  batch: Batch,
  lines: readonly RawLine[],
): Promise<(Outcome | undefined)[]> {
  const firstById = new Map<string, RawLine>();
  const repeats = new Set<RawLine>();
  for (const line of lines) {
    const id = idOfLine(line.text);
    const first = id === null ? undefined : firstById.get(id);
    if (first !== undefined) repeats.add(line);
    else if (id !== null) firstById.set(id, line);
  }
  const submit = (line: RawLine, index: number) => submitLine(deps, batch, { ...line, number: batch.line + index + 1 });
  const indexes = new Map(lines.map((line, index) => [line, index]));
  const outcomes = new Map<RawLine, Outcome | undefined>();
  // A line whose id another one of the piece has finds the job of that one.
  for (const group of [lines.filter((line) => !repeats.has(line)), [...repeats]])
    await mapConcurrent(group, concurrency, async (line) => {
      outcomes.set(line, await submit(line, indexes.get(line) ?? 0));
    });
  return lines.map((line) => outcomes.get(line));
}

async function submitLine(
  { accept, submitListed, onUnexpected }: SubmitLinesDeps,
  batch: Batch,
  numbered: NumberedLine,
): Promise<Outcome | undefined> {
  const { text, start, number } = numbered;
  if (text === '') return undefined;
  try {
    if (batch.backfill !== undefined) return await submitListed(batch, numbered);
    const line = parseLine({ text });
    const { job, stored } = await accept({
      principal: authorOf(batch),
      // No header has a line break, so no caller has this key.
      idempotencyKey: `batch\n${batch.batchId}\n${line.id}`,
      keyedBody: line,
      keyLifetimeMs,
      job: jobOfLine(batch, line),
      amend: (request) => withOutput(request, line.output),
      batch: { id: batch.batchId, at: start },
    });
    const first = stored !== undefined && 'batch' in stored ? stored.batch : job.batch;
    return first?.at === start ? { jobId: job.jobId } : 'duplicate';
  } catch (cause) {
    const error = toLineError(cause);
    const { code, message } = error;
    if (code === 'INTERNAL_ERROR' || code === 'UNAVAILABLE') onUnexpected(cause);
    const triedBefore = batch.offset === start ? (batch.error?.tries ?? 0) : 0;
    const tries = code === 'INTERNAL_ERROR' ? triedBefore + 1 : undefined;
    if (apiErrors[code].retryable && (tries ?? 0) < maxTries) return { later: { code, message, tries } };
    return { failure: { id: idOfLine(text), line: number, jobId: null, code, message } };
  }
}

/** Then a line for which the service fails is one of the report: it must not stop those after it. */
const maxTries = 10;

/** What AWS or another write has refused passes, and is no error of the line. */
function toLineError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const mayPass = awsFailureOf(cause) !== undefined || cause instanceof ConflictError;
  return new AppError(mayPass ? 'UNAVAILABLE' : 'INTERNAL_ERROR', 'The line could not be submitted.', { cause });
}

type SubmitListedDeps = SubmitObjectDeps & { ofStage: readonly Watch[]; openWatched: OpenWatched };

/** Submits the job of a listed object by the record of its version. One that got its job elsewhere meanwhile is left out. */
export function submitListed(deps: SubmitListedDeps): (batch: Batch, line: NumberedLine) => Promise<Outcome> {
  return async (batch, { text, start: at, number }) => {
    const { ownerId, batchId } = batch;
    const { id: key, etag, ...listed } = listedLineSchema.parse(text);
    const failure = (code: string, message: string, jobId: string | null = null): Outcome => ({
      failure: { id: key, line: number, jobId, code, message } satisfies LineFailure,
    });
    if (etag === undefined)
      return failure('INPUT_UNREACHABLE', 'There is no object of this key under the prefix of the watch');
    const watch = watchOfBackfill(deps.ofStage, batch);
    const bucket = await deps.openWatched(watch);
    const object = { ...bucket, ...listed, key, etag };
    const again = batch.backfill?.again !== undefined;
    const running = again ? await unfinishedJob(deps, batch, { watch, hash: objectHash(object) }) : undefined;
    if (running !== undefined) return failure('JOB_NOT_TERMINAL', 'The job of this object has not ended', running);
    const backfill = { principal: authorOf(batch), batch: { id: batchId, at }, again };
    const submitted = await submitObject(deps, watch, object, { backfill });
    if (submitted.is === 'refused') return failure(submitted.code, submitted.message);
    if (submitted.is === 'waits')
      return { later: { code: 'OWNER_BEING_ERASED', message: 'All data of this owner is being erased.' } };
    const { jobId } = submitted;
    if (submitted.is === 'made') return { jobId };
    // Made by an earlier step of this backfill, or by an event or a sweep.
    const job = await deps.jobs.get({ ownerId, jobId });
    return job !== undefined && 'batch' in job && job.batch?.id === batchId ? { jobId } : 'duplicate';
  };
}

/** The id of the object's job, unless that has ended or is of this backfill. */
async function unfinishedJob(
  { watches, jobs }: SubmitListedDeps,
  { ownerId, batchId }: Batch,
  { watch, hash }: { watch: Watch; hash: string },
): Promise<string | undefined> {
  const record = await watches.get(watch.name, hash);
  if (record === undefined || record.again === batchId) return undefined;
  const job = await jobs.get({ ownerId, jobId: record.jobId });
  return job === undefined || job.state === 'deleted' || isTerminal(job) ? undefined : record.jobId;
}
