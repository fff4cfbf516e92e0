import type { Erasures } from '../access/erasure.ts';
import type { PresetJob } from '../api/job-request.ts';
import { AppError, invalidRequest } from '../errors.ts';
import { type Reservations, reservationFor } from '../idempotency.ts';
import { keyBelow, keyTemplateSchema, objectKeySchema } from '../storage/object-key.ts';
import { type AcceptedJob, type AcceptJobDeps, acceptJob, type JobOutput } from '../submission/accept-job.ts';
import { type ObjectRecord, objectHash, type Watch, type WatchedObject, type WatchTable } from './watch.ts';

export type SubmitObjectDeps = Omit<AcceptJobDeps, 'reservations'> & {
  watches: Pick<WatchTable, 'add' | 'get' | 'finish'>;
  erasures: Pick<Erasures, 'find'>;
  onRefused: (watch: Watch, object: WatchedObject, error: AppError) => void;
};

/** A backfill that makes the job. `again`: it asked for a further one. */
export type Backfill = Required<Pick<AcceptedJob, 'batch' | 'principal'>> & { again: boolean };

/** `known`: the version has its job already, or an earlier call has made it. `waits`: all data of the owner is being erased. */
export type SubmittedObject =
  | { is: 'made' | 'known'; jobId: string }
  | { is: 'waits' }
  | { is: 'refused'; code: string; message: string };

/**
 * Makes the job of one version of an object, once, however often and from wherever it is called. The record is written first:
 * it holds the id of the job, so that whoever finds an unfinished record makes the same job.
 *
 * @param found the stored record, if it was read
 * @throws AppError for what may pass, such as a limit or a preset that does not exist yet; the record stays unfinished
 */
export async function submitObject(
  deps: SubmitObjectDeps,
  watch: Watch,
  object: WatchedObject & PlacedObject,
  { found, backfill }: { found?: ObjectRecord | undefined; backfill?: Backfill } = {},
): Promise<SubmittedObject> {
  const { principal = { ownerId: watch.ownerId, caller: 'session' as const }, batch, again = false } = backfill ?? {};
  if ((await deps.erasures.find(watch.ownerId)) !== undefined) return { is: 'waits' };
  const record = found ?? (await addRecord(deps, watch, object, again ? batch?.id : undefined));
  const { jobId } = record;
  if (record.isDone && record.refused !== undefined)
    return { is: 'refused', code: record.refused, message: refusedBefore };
  if (record.isDone) return { is: 'known', jobId };
  try {
    const { stored } = await acceptJob(
      { ...deps, reservations: reservationsOf(record), newJobId: () => jobId },
      { principal, batch, idempotencyKey: record.hash, keyedBody: record.hash, ...jobOfObject(watch, object) },
    );
    await deps.watches.finish(watch.name, record.hash);
    return { is: stored === undefined ? 'made' : 'known', jobId };
  } catch (error) {
    if (!(error instanceof AppError) || !isOfObject(error)) throw error;
    const { code, message } = error;
    await deps.watches.finish(watch.name, record.hash, code);
    deps.onRefused(watch, object, error);
    return { is: 'refused', code, message };
  }
}

const refusedBefore = 'The key of the object cannot be that of an input';

/** The record of a version: the stored one, unless `again` names a backfill that has not replaced it yet. */
async function addRecord(
  { watches, clock, newJobId }: SubmitObjectDeps,
  { name }: Watch,
  object: WatchedObject,
  again: string | undefined,
): Promise<ObjectRecord> {
  const now = clock.now();
  const record = { hash: objectHash(object), jobId: newJobId(now), createdAt: now.toISOString(), isDone: false, again };
  if (await watches.add(name, record)) return record;
  const stored = await watches.get(name, record.hash);
  // Removed between both calls, so the object is gone.
  return stored ?? { ...record, isDone: true };
}

/** The record is the reservation of its job's id. It does not expire while the object exists. */
function reservationsOf({ hash, jobId, createdAt }: ObjectRecord): Reservations {
  const reservation = ({ ownerId }: { ownerId: string }) =>
    reservationFor({ ownerId, key: hash, body: hash, resourceId: jobId, now: new Date(createdAt) });
  return {
    reserve: async (requested) => reservation(requested),
    find: async (key) => reservation(key),
    complete: async () => undefined,
  };
}

/** Whether an error is of the key of the object: no other call makes its job. */
function isOfObject({ code, details = [] }: AppError): boolean {
  return code === 'VALIDATION_ERROR' && details.length > 0 && details.every(({ path }) => path === 'input.key');
}

/** In the template of a watch: the key of the object below the prefix of the watch, without its extension. */
export const sourcePlaceholder = '{source}';

export type PlacedObject = { key: string; prefix: string; providerPrefix?: string | undefined };

/**
 * The job of an object, and where its results go.
 *
 * @throws AppError VALIDATION_ERROR at `input.key` for a key that no input can have
 */
export function jobOfObject(
  watch: Watch,
  { key, prefix, providerPrefix }: PlacedObject,
): { job: PresetJob; output: JobOutput } {
  const { error } = objectKeySchema.safeParse(key);
  if (error !== undefined) throw invalidRequest([{ path: 'input.key', message: error.issues[0]?.message ?? '' }]);
  const { storageProviderId, bucket, preset, name } = watch;
  const input =
    bucket === undefined ? { storageProviderId, key: keyBelow(key, providerPrefix) } : { url: `s3://${bucket}/${key}` };
  const source = key
    .slice(prefix.length)
    .replace(/^\//, '')
    .replace(/\.[^./]*$/, '')
    .replaceAll(/[{}]/g, '_');
  const template = watch.output.key.replaceAll(sourcePlaceholder, () => source);
  // A template has a length. The id names the source, too.
  const fits = keyTemplateSchema.safeParse(template).success;
  return {
    job: { mode: 'preset', preset, input, metadata: { watch: name } },
    output: {
      storageProviderId: watch.output.storageProviderId,
      key: fits ? template : watch.output.key.replaceAll(sourcePlaceholder, '{jobId}'),
    },
  };
}
