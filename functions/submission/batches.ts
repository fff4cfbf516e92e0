import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { limitExceeded, type OwnerLimits } from '../../core/access/owner-limits.ts';
import {
  batchNotFoundMessage,
  type cancelBatchContract,
  type createBatchContract,
  type getBatchContract,
  type listBatchesContract,
} from '../../core/api/batches.ts';
import { readCursor, writeCursor } from '../../core/api/cursor.ts';
import type { SubmittedJob } from '../../core/api/job-request.ts';
import { watchNotFoundMessage } from '../../core/api/watches.ts';
import { retryConflicts } from '../../core/async.ts';
import {
  type Batch,
  type BatchMachine,
  type BatchRef,
  type BatchTable,
  isOpen,
  createBatch as newBatch,
  openEntry,
  startBatch,
  usdOf,
} from '../../core/batches/batch.ts';
import type { ConcurrencyLimits } from '../../core/concurrency-limit.ts';
import { AppError, invalidRequest } from '../../core/errors.ts';
import { type ReserveIdDeps, replayed, reserveId } from '../../core/idempotency.ts';
import { withResolvedRequest } from '../../core/presets/resolve/resolve-request.ts';
import {
  type AcceptJobDeps,
  assertAllowedSource,
  assertAllowedUrls,
  chooseSpeed,
} from '../../core/submission/accept-job.ts';
import { chooseDestination } from '../../core/submission/choose-destination.ts';
import { jobOfLine } from '../../core/submission/manifest-line.ts';
import type { Watch } from '../../core/watches/watch.ts';

export type ReadBatchesDeps = {
  batches: BatchTable;
  /** A URL of the report, valid for up to an hour. */
  signReport: (key: string) => Promise<string>;
  minuteUsd: number;
};

export type CreateBatchDeps = Pick<AcceptJobDeps, 'settings' | 'providers' | 'presets' | 'urlRules' | 'speeds'> &
  ReserveIdDeps & {
    batches: Pick<BatchTable, 'get' | 'write'>;
    machine: BatchMachine;
    open: Pick<ConcurrencyLimits, 'enter'>;
    limits: Pick<OwnerLimits, 'maxOpenBatches'>;
    /** The watches of the settings. */
    ofStage: readonly Watch[];
    /** Receives the error of an execution that was not started: reconcile starts it. */
    onStartFailed: (batch: BatchRef, cause: unknown) => void;
  };

/** Accepts a batch and starts it. Everything that is known without the manifest is checked before. */
export function createBatch(deps: CreateBatchDeps): RouteApp<typeof createBatchContract> {
  return async ({ body, rawBody, headers, principal }) => {
    const { ownerId } = principal;
    const { batches, machine, urlRules } = deps;
    const { manifestUrl, maxUsd } = body;
    if (manifestUrl !== undefined) assertAllowedSource({ url: manifestUrl, path: 'manifestUrl' }, ownerId, urlRules);
    const watch = body.watch === undefined ? undefined : findWatch(deps, ownerId, body.watch);
    let request = body.request ?? { mode: 'preset' as const, preset: watch?.preset ?? body.preset };
    const reserved = await reserveId(
      deps,
      { ownerId, idempotencyKey: headers['idempotency-key'], request: { createBatch: rawBody } },
      async ({ id: batchId, isReplay }) => {
        if (isReplay && (await batches.get({ ownerId, batchId })) !== undefined) return;
        const preset = await checkRequest(deps, request, principal);
        if (preset !== undefined) request = { ...request, preset };
        await assertRoom(deps, { ownerId, batchId });
      },
    );
    const backfill = watch && { watch: watch.name, again: body.again, isEstimate: body.estimateOnly ?? false };
    const { id: batchId, createdAt } = reserved;
    const batch = newBatch({ batchId, createdAt, principal, manifestUrl, backfill, maxUsd, request });
    const written = await batches.write(batch);
    if (written || !reserved.isReplay)
      await startBatch(machine, batch).catch((cause: unknown) => deps.onStartFailed(batch, cause));
    const location = `/api/v1/batches/${batchId}`;
    return { status: 202, headers: { location, ...replayed(reserved).headers }, body: { batchId } };
  };
}

/** Counts a batch among those of its owner that have not ended. Throws AppError LIMIT_EXCEEDED. */
async function assertRoom({ open, limits, clock }: CreateBatchDeps, batch: BatchRef): Promise<void> {
  const [value, now] = [limits.maxOpenBatches, clock.now()];
  if (await open.enter(openEntry(batch, now), { max: value, now })) return;
  throw limitExceeded(
    { limit: 'maxOpenBatches', value, use: value, retryAfterSeconds: 60 },
    `${value} batches have not ended, which is the limit. Wait until some have ended, or cancel some.`,
  );
}

function findWatch({ ofStage }: CreateBatchDeps, ownerId: string, named: string): Watch {
  const found = ofStage.find(({ name, ownerId: owner }) => name === named && owner === ownerId);
  if (found === undefined) throw invalidRequest([{ path: 'watch', message: watchNotFoundMessage }]);
  return found;
}

/** Stands for the source that each line names. */
const anyInput = { url: 'https://source.invalid/input' };

/** Checks the request of a batch as that of a job; returns the version of its preset. Error paths are those of the batch. */
async function checkRequest(
  deps: CreateBatchDeps,
  request: Record<string, unknown>,
  principal: Parameters<typeof chooseSpeed>[1]['principal'],
): Promise<string | undefined> {
  const { ownerId } = principal;
  for (const field of ['input', 'inputs', 'finishBy'])
    if (Object.hasOwn(request, field)) throw invalidRequest([{ path: `request.${field}`, message: 'Not in a batch' }]);
  try {
    const job: SubmittedJob = jobOfLine({ request }, { input: anyInput });
    return await withResolvedRequest({ presets: deps.presets, ownerId, job }, async (resolved) => {
      assertAllowedUrls(resolved.request, ownerId, deps.urlRules);
      chooseSpeed(resolved.request, { principal, speeds: deps.speeds, now: deps.clock.now() });
      await chooseDestination(deps, ownerId, resolved.request);
      return resolved.preset;
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.details === undefined) throw error;
    const details = error.details.map(({ path, ...detail }) => ({
      path: path === 'preset' ? path : `request.${path}`,
      ...detail,
    }));
    throw new AppError(error.code, error.message, { details, cause: error });
  }
}

export function listBatches(deps: ReadBatchesDeps): RouteApp<typeof listBatchesContract> {
  return async ({ query: { limit, cursor }, principal: { ownerId } }) => {
    const scope = { ownerId, list: 'batches' };
    const beforeId = cursor === undefined ? undefined : readCursor(scope, cursor);
    const { batches, lastId } = await deps.batches.list(ownerId, { limit, beforeId });
    const views = await Promise.all(batches.map((batch) => viewBatch(deps, batch)));
    return {
      status: 200,
      body: { batches: views, nextCursor: lastId === undefined ? null : writeCursor(scope, lastId) },
    };
  };
}

/** Reads a batch. Throws AppError NOT_FOUND. */
export function getBatch(deps: ReadBatchesDeps): RouteApp<typeof getBatchContract> {
  return async ({ params, principal: { ownerId } }) => {
    const batch = await findBatch(deps, { ownerId, batchId: params.id });
    return { status: 200, body: await viewBatch(deps, batch) };
  };
}

/** Cancels a batch: its execution does the rest. Throws AppError NOT_FOUND. */
export function cancelBatch(deps: ReadBatchesDeps): RouteApp<typeof cancelBatchContract> {
  return async ({ params, principal: { ownerId } }) => {
    const cancelled = await retryConflicts(async () => {
      const batch = await findBatch(deps, { ownerId, batchId: params.id });
      if (batch.endedAt !== undefined || !(isOpen(batch) || batch.state === 'queued')) return batch;
      const next = { ...batch, state: 'cancelled' as const, version: batch.version + 1 };
      return (await deps.batches.write(next)) && next;
    });
    return { status: 200, body: await viewBatch(deps, cancelled) };
  };
}

async function findBatch({ batches }: ReadBatchesDeps, ref: BatchRef): Promise<Batch> {
  const batch = await batches.get(ref);
  if (batch === undefined) throw new AppError('NOT_FOUND', batchNotFoundMessage);
  return batch;
}

async function viewBatch({ signReport, minuteUsd }: ReadBatchesDeps, batch: Batch) {
  const { reportKey } = batch;
  const usd = Math.round(usdOf(batch, minuteUsd) * 1e6) / 1e6;
  return {
    ...batch,
    usd,
    watch: batch.backfill?.watch,
    reportUrl: reportKey === undefined ? null : await signReport(reportKey),
  };
}
