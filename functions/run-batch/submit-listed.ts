import { authorOf, type Batch, type LineFailure } from '../../core/batches/batch.ts';
import { listedLineSchema, watchOfBackfill } from '../../core/batches/listed-line.ts';
import { isTerminal } from '../../core/jobs/record.ts';
import { type SubmitObjectDeps, submitObject } from '../../core/watches/submit-object.ts';
import { type OpenWatched, objectHash, type Watch } from '../../core/watches/watch.ts';
import type { NumberedLine, Outcome } from './submit-lines.ts';

export type SubmitListedDeps = SubmitObjectDeps & { ofStage: readonly Watch[]; openWatched: OpenWatched };

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
