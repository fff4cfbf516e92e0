import { AppError } from '../errors.ts';
import type { Reservations } from '../idempotency.ts';
import { reservationFor } from '../idempotency.ts';
import { type AcceptJobDeps, acceptJob } from '../submission/accept-job.ts';
import { jobOfObject, type PlacedObject } from './job-of-object.ts';
import type { ObjectRecord, WatchTable } from './ports.ts';
import { objectHash, type Watch, type WatchedObject } from './watch.ts';

export type SubmitObjectDeps = Omit<AcceptJobDeps, 'reservations'> & {
  watches: Pick<WatchTable, 'add' | 'get' | 'finish'>;
  onRefused: (watch: Watch, object: WatchedObject, error: AppError) => void;
};

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
  found?: ObjectRecord,
): Promise<'made' | 'known' | 'refused'> {
  const record = found ?? (await addRecord(deps, watch, object));
  if (record.isDone) return 'known';
  try {
    await acceptJob(
      { ...deps, reservations: reservationsOf(record), newJobId: () => record.jobId },
      {
        principal: { ownerId: watch.ownerId, caller: 'session' },
        idempotencyKey: record.hash,
        keyedBody: record.hash,
        ...jobOfObject(watch, object),
      },
    );
  } catch (error) {
    if (!(error instanceof AppError) || !isOfObject(error)) throw error;
    await deps.watches.finish(watch.name, record.hash, error.code);
    deps.onRefused(watch, object, error);
    return 'refused';
  }
  await deps.watches.finish(watch.name, record.hash);
  return 'made';
}

async function addRecord(
  { watches, clock, newJobId }: SubmitObjectDeps,
  { name }: Watch,
  object: WatchedObject,
): Promise<ObjectRecord> {
  const now = clock.now();
  const record = { hash: objectHash(object), jobId: newJobId(now), createdAt: now.toISOString(), isDone: false };
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
