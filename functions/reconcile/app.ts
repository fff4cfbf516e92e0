import { retryConflicts } from '../../core/async.ts';
import { type DueKind, dueKinds, dueShards } from '../../core/jobs/durations.ts';
import type { Clock, DueRef, JobRef, JobTable } from '../../core/jobs/ports.ts';
import type { JobRecord } from '../../core/jobs/record.ts';
import { postpone } from '../../core/jobs/transitions.ts';
import { asUnreadable, UnreadableJobError } from '../../core/jobs/unreadable-job-error.ts';
import { deliveryIdTo } from '../../core/settings/owner-settings.ts';
import {
  confirmAt,
  confirmReservations,
  type SpendingCounters,
  type SpendingRef,
} from '../../core/spending/spending-counter.ts';
import { jobsTo } from '../../core/webhooks/delivery.ts';
import { takeNextStep } from './next-step.ts';
import type { ReconcileJobDeps, ReconcileStep } from './reconcile-job.ts';

export type ReconcileDeps = ReconcileJobDeps & {
  /** Maximum of metered steps per kind, shard and run. Bounds the load on receivers when many deliveries are resumed. */
  maxJobsPerShard: number;
  /** Steps and milliseconds that an owner may take of a shard before all other owners had theirs. */
  ownerLimit: { jobs: number; ms: number };
  onStep: (ref: JobRef, step: ReconcileStep) => void;
  onFailure: (ref: JobRef, cause: unknown) => void;
  onQueryFailure: (shard: { kind: DueKind | 'reservations'; shard: number }, cause: unknown) => void;
};

/**
 * Steps that do not count towards `maxJobsPerShard`. Waiting jobs are due every hour: if they counted, many of them would
 * delay the recovery of lost messages.
 */
const unmeteredSteps: ReadonlySet<ReconcileStep> = new Set([
  'resent',
  'still-running',
  'check-throttled',
  'delivery-listed',
  'not-due',
  'superseded',
]);

/** `due` counts the jobs that were looked at, `failed` those whose step failed, failed starts of deliveries and failed queries. */
export type ReconcileReport = { due: number; failed: number };

/** The part of a run that each kind of due work keeps, however much time the kinds before it need. */
const keptPart = 1 / 8;

/**
 * Takes the next step of every job whose `dueAt` has passed: this recovers from crashes. Each step is a conditional write
 * over the record that was read, so runs may overlap and index entries may be stale. No step begins after `until`.
 */
export function reconcile(deps: ReconcileDeps): (until: Date) => Promise<ReconcileReport> {
  return async (until) => {
    let failedStarts = 0;
    const onDeliveryStartFailed: ReconcileDeps['onDeliveryStartFailed'] = (ref, cause) => {
      // Nothing retries reconcile: count failed starts so that the alarm fires.
      failedStarts += 1;
      deps.onDeliveryStartFailed(ref, cause);
    };
    const runDeps = { ...deps, ...checksOfRun(deps), onDeliveryStartFailed };
    const keptMs = keptPart * Math.max(0, until.getTime() - deps.clock.now().getTime());
    const reports: ReconcileReport[] = [];
    for (const [index, kind] of dueKinds.entries()) {
      const laterKinds = dueKinds.length - 1 - index;
      const kindUntil = new Date(until.getTime() - laterKinds * keptMs);
      const shards = Array.from({ length: dueShards }, (_, shard) =>
        reconcileShard(runDeps, { kind, shard, until: kindUntil }),
      );
      reports.push(...(await Promise.all(shards)));
    }
    reports.push(await confirmAllReservations(deps, until));
    return {
      due: reports.reduce((sum, { due }) => sum + due, 0),
      failed: reports.reduce((sum, { failed }) => sum + failed, failedStarts),
    };
  };
}

/** Confirms or gives back what submitted jobs have reserved. A counter that fails is due in the next run again. */
async function confirmAllReservations(deps: ReconcileDeps, until: Date): Promise<ReconcileReport> {
  const report = { due: 0, failed: 0 };
  const due = await deps.spending.due(deps.clock.now()).catch((cause: unknown) => {
    report.failed += 1;
    deps.onQueryFailure({ kind: 'reservations', shard: 0 }, cause);
    return [];
  });
  for (const ref of due) {
    if (deps.clock.now() >= until) break;
    report.due += 1;
    await confirmDueReservations(deps, ref).catch((cause: unknown) => {
      report.failed += 1;
      deps.onFailure(ref, cause);
    });
  }
  return report;
}

type Shard = { kind: DueKind; shard: number; until: Date };

/** Failed jobs do not count towards the limit either: many of them must not block the others. */
async function reconcileShard(deps: ReconcileDeps, shard: Shard): Promise<ReconcileReport> {
  const { clock, maxJobsPerShard } = deps;
  const report = { due: 0, failed: 0 };
  let metered = 0;
  const hasEnded = () => clock.now() >= shard.until || metered === maxJobsPerShard;
  const owners = ownerLimits(deps);
  const takeStep = async (ref: DueRef) => {
    report.due += 1;
    const step = await owners.spend(ref.ownerId, () => reconcileJob(deps, ref, shard.until));
    if (step === undefined) report.failed += 1;
    else if (!unmeteredSteps.has(step)) metered += 1;
  };
  const deferred: DueRef[] = [];
  try {
    for await (const ref of dueRefs(deps, shard)) {
      if (hasEnded()) return report;
      if (!owners.isSpent(ref.ownerId)) await takeStep(ref);
      else if (deferred.length < maxDeferred) deferred.push(ref);
    }
  } catch (cause) {
    // The other shards and kinds go on; the next run queries this shard again.
    report.failed += 1;
    deps.onQueryFailure(shard, cause);
  }
  for (const ref of deferred) {
    if (hasEnded()) return report;
    await takeStep(ref);
  }
  return report;
}

const refsPerPage = 1_000;

/** Bounds the memory of a run. The jobs beyond are due in the next run. */
const maxDeferred = 10_000;

async function* dueRefs(
  { jobs, clock }: ReconcileDeps,
  { kind, shard }: Shard,
): AsyncGenerator<DueRef, void, undefined> {
  let after: DueRef | undefined;
  do {
    const page = await jobs.due({ kind, shard, now: clock.now(), limit: refsPerPage, after });
    yield* page;
    after = page.length < refsPerPage ? undefined : page.at(-1);
  } while (after !== undefined);
}

/** Measures what each owner takes of a shard. The jobs of an owner that has reached its limit come after those of all others. */
function ownerLimits({ clock, ownerLimit }: ReconcileDeps) {
  const spent = new Map<string, { jobs: number; ms: number }>();
  const spentBy = (ownerId: string) => spent.get(ownerId) ?? { jobs: 0, ms: 0 };
  return {
    isSpent: (ownerId: string) => {
      const { jobs, ms } = spentBy(ownerId);
      return jobs >= ownerLimit.jobs || ms >= ownerLimit.ms;
    },
    async spend<T>(ownerId: string, work: () => Promise<T>): Promise<T> {
      const startedAt = clock.now().getTime();
      const result = await work();
      const { jobs, ms } = spentBy(ownerId);
      spent.set(ownerId, { jobs: jobs + 1, ms: ms + clock.now().getTime() - startedAt });
      return result;
    },
  };
}

/** Undefined after a failure. The job is then postponed, so that later runs begin with other jobs. */
async function reconcileJob(all: ReconcileDeps, ref: DueRef, until: Date): Promise<ReconcileStep | undefined> {
  const deps = ref.endpointId === undefined ? all : ofEndpoint(all, ref.endpointId);
  let job: JobRecord | undefined;
  try {
    job = await deps.jobs.get(ref);
    const { endpointId } = ref;
    if (job === undefined && endpointId !== undefined) await deps.endpointDeliveries.remove({ ...ref, endpointId });
    const isDue = job?.dueAt !== undefined && job.dueAt <= deps.clock.now().toISOString();
    const step = job !== undefined && isDue ? await takeNextStep(deps, job, until) : 'not-due';
    deps.onStep(ref, step);
    return step;
  } catch (cause) {
    deps.onFailure(ref, cause);
    if (job !== undefined)
      await deps.jobs.write(postpone(job, deps.clock.now())).catch((error) => deps.onFailure(ref, error));
    return undefined;
  }
}

/** The ports for a delivery to an endpoint, whose further deliveries have ids of its own. */
function ofEndpoint(deps: ReconcileDeps, endpointId: string): ReconcileDeps {
  return { ...deps, jobs: jobsTo(endpointId, deps), newId: () => deliveryIdTo(endpointId, deps.newId()) };
}

type Machines = Pick<ReconcileJobDeps, 'parallel' | 'fargateMachine'>;

/**
 * The checks of executions by one run. After a throttled one the rest are undefined without a call: each call would wait
 * for the retries of the SDK.
 */
function checksOfRun({ parallel, fargateMachine }: Machines): Machines {
  let isThrottled = false;
  const ofRun = (machine: Machines['parallel']): Machines['parallel'] => ({
    async isRunning(name) {
      if (isThrottled) return undefined;
      const isRunning = await machine.isRunning(name);
      isThrottled ||= isRunning === undefined;
      return isRunning;
    },
  });
  return { parallel: ofRun(parallel), fargateMachine: fargateMachine && ofRun(fargateMachine) };
}

type ConfirmDeps = { jobs: Pick<JobTable, 'get'>; spending: SpendingCounters; clock: Clock };

/** Records that one run reads for a counter. The rest stays due. */
const maxRecords = 100;

/**
 * Looks for the records of jobs that have reserved money, and gives back what a job reserved that was never written or has
 * ended. The records are read after the counter: if a job is counted in between, the write has a conflict.
 */
async function confirmDueReservations(deps: ConfirmDeps, ref: SpendingRef): Promise<void> {
  const { jobs, spending, clock } = deps;
  await retryConflicts(async () => {
    const counter = await spending.read(ref);
    const now = clock.now().toISOString();
    const due = Object.entries(counter.unconfirmed ?? {})
      .filter(([, reservedAt]) => confirmAt(reservedAt) <= now)
      .slice(0, maxRecords);
    const records = await Promise.all(
      due.map(async ([jobId]) => {
        const record = await jobs.get({ ownerId: ref.ownerId, jobId }).catch(asUnreadable);
        // It exists, so its reservation stays. Those of the others do not wait for it.
        return record instanceof UnreadableJobError ? [] : ([[jobId, record]] as const);
      }),
    );
    const next = confirmReservations(counter, new Map(records.flat()));
    return next === undefined || spending.write(ref, next);
  });
}
