import { recordRuns } from '@media-jobs/video/ffmpeg';
import { retryUntil } from '../../core/async.ts';
import { addMs } from '../../core/jobs/durations.ts';
import { enterLimit as enterQueueLimit } from '../../core/jobs/job-queue.ts';
import type { JobResult, StepsInBucket } from '../../core/jobs/job-result.ts';
import { limitedQueueOf, longAfterSeconds, longJobsQueue, maxShortSeconds } from '../../core/jobs/queues.ts';
import type { JobIn, TerminalJob } from '../../core/jobs/record.ts';
import type { PendingPublication } from '../../core/publish/publish-result.ts';
import type { FunctionPorts, JobPorts } from '../../core/worker/ports.ts';
import { type AttemptRecord, recordInputs } from '../../core/worker/run-log.ts';
import {
  costSignal,
  holdLease,
  type Lease,
  timeoutSignal,
  type WorkerContext,
} from '../../core/worker/worker-context.ts';
import type { GraphState, PlannedChunkedWork, StoredChunkPlan } from './graph-state.ts';
import type { CostLimits } from './money.ts';

/** Longer than any file name. Bounds the record. */
const maxSourceNameCharacters = 512;

/** An attempt at a job under the lease of its worker. Disposal removes its workspaces. */
export type Attempt = AsyncDisposable & {
  /** Dependencies that record the runs, downloads and workspaces of this attempt. */
  deps: JobPorts;
  context: WorkerContext;
  lease: Lease;
  /** The limit of long jobs, which do not take all functions; undefined in a task. */
  longLimit: LongJobsLimit | undefined;
  /** `copies` are keys under which a copy of a source may exist. */
  record: AttemptRecord & { copies: readonly string[] };
  /** Aborts when the platform stops the worker. */
  stopped: AbortSignal | undefined;
  encodeChunks: EncodeChunks | undefined;
  /** Limits the cost of the job from now on, here and on each worker that it is delegated to. */
  limitCost(limits: CostLimits): WorkerContext;
  /** Writes the file name that the host of the source states into the record. */
  nameSource(statedName: string | undefined): WorkerContext;
  /** Stops heartbeats and limits; returns the job as the lease released it. */
  stop(): Promise<JobIn<'processing'>>;
};

/** Encodes the chunks of a step one after the other, and joins them. Undefined if they cannot be, and a single pass may help. */
export type EncodeChunks = (
  attempt: Attempt,
  chunks: { planned: PlannedChunkedWork; state: GraphState },
) => Promise<Outcome | undefined>;

/** What the work of an attempt has come to, by which the attempt then ends. */
export type Outcome =
  | { kind: 'finished'; result: JobResult }
  /** All bytes are at the storage provider, and nothing is visible yet. */
  | ({ kind: 'uploaded' } & PendingPublication)
  | { kind: 'chunks'; plan: StoredChunkPlan }
  /** A task of the pool has joined the chunks of a step that others follow. */
  | { kind: 'step-completed'; steps: StepsInBucket }
  /** A Fargate task goes on, for a reason that the owner of the job reads. */
  | { kind: 'task'; reason: string }
  /** No task of the pool can end the job: it becomes a standard one. */
  | { kind: 'leave-pool' }
  /** The job is long, and as many long jobs run as may run. */
  | { kind: 'waits-for-limit' }
  /** `isFailure`: the job fails with it, whatever the stage. */
  | { kind: 'error'; error: unknown; isFailure?: boolean };

/** How an attempt ended. `lost`: the job was cancelled, or another worker has it. */
export type AttemptResult = TerminalJob['state'] | 'lost' | 'requeued' | 'waits-for-limit' | 'delegated';

/** Opens an attempt at a claimed job. Dispose it after the terminal write, which then does not wait for the removal. */
export function openAttempt(
  deps: JobPorts,
  claimed: JobIn<'processing'>,
  { deadline, stopped, encodeChunks }: { deadline: Date; stopped?: AbortSignal; encodeChunks?: EncodeChunks },
): Attempt {
  const workspaces = new AsyncDisposableStack();
  const openWorkspace = async () => {
    const workspace = await deps.openWorkspace();
    workspaces.defer(() => workspace.remove().catch((cause) => deps.onUnexpected(claimed, cause)));
    return workspace;
  };
  const lease = holdLease(deps, claimed);
  const timers = new AbortController();
  const longLimit = deps.kind === 'function' ? watchLongLimit(deps, claimed, { lease, deadline }) : undefined;
  const overspent = new AbortController();
  let superseded = new AbortController();
  const limitSpending = (job: JobIn<'processing'>) => {
    superseded.abort();
    superseded = new AbortController();
    const spent = costSignal(deps, job, AbortSignal.any([timers.signal, superseded.signal]));
    spent?.addEventListener('abort', () => overspent.abort(spent.reason));
  };
  limitSpending(claimed);
  const signals = [lease.signal, timeoutSignal(deps, { deadline, cancelled: timers.signal }), overspent.signal];
  let changes: CostLimits & { sourceName?: string } = {};
  let context: WorkerContext = {
    job: claimed,
    report: lease.report,
    signal: AbortSignal.any([...signals, ...(longLimit ? [longLimit.signal] : []), ...(stopped ? [stopped] : [])]),
    deadline,
  };
  const change = (fields: typeof changes) => {
    changes = { ...changes, ...fields };
    context = { ...context, job: { ...context.job, ...fields } };
    return context;
  };
  const { encoder, runs } = recordRuns(deps.media);
  const { download, inputs, copies } = recordInputs(deps.sources.download);
  return {
    deps: { ...deps, media: encoder, sources: { ...deps.sources, download }, openWorkspace },
    get context() {
      return context;
    },
    lease,
    longLimit,
    record: { inputs, runs, copies },
    stopped,
    encodeChunks,
    limitCost(limits) {
      if (Object.keys(limits).length === 0) return context;
      const limited = change(limits);
      limitSpending(limited.job);
      return limited;
    },
    nameSource: (statedName) =>
      statedName === undefined ? context : change({ sourceName: statedName.slice(0, maxSourceNameCharacters) }),
    async stop() {
      await longLimit?.stop();
      timers.abort();
      return { ...(await lease.release()), ...changes };
    },
    [Symbol.asyncDispose]: () => workspaces.disposeAsync(),
  };
}

/** The limit of long jobs, as it holds for a claimed job until its files are stored. */
export type LongJobsLimit = {
  /** Aborts once the job has held its worker for two minutes while as many long jobs run as may run. */
  signal: AbortSignal;
  /**
   * Counts the job as a long one if it is. `full`: it has to wait, and its worker takes a short job.
   * @param seconds that the job is expected to take from now on
   */
  expectSeconds(seconds: number): Promise<'free' | 'full'>;
  isFull(): boolean;
  /** Afterwards the job is not counted any more. */
  stop(): Promise<void>;
};

/** Watches how long a job holds its worker. A job that was claimed as a long one stays one. */
export function watchLongLimit(
  deps: FunctionPorts,
  job: JobIn<'processing'>,
  { lease, deadline }: { lease: Lease; deadline: Date },
): LongJobsLimit {
  const { clock } = deps;
  const claimedAt = new Date(job.claimedAt);
  const full = new AbortController();
  const stopped = new AbortController();
  let entering: Promise<'free' | 'full'> | undefined;

  const enter = async (): Promise<'free' | 'full'> => {
    if (!(await retryUntil(clock, deadline, () => enterLimit(deps, job)))) {
      full.abort(new Error(`Job ${job.jobId} is long, and waits until fewer long jobs run`));
      return 'full';
    }
    lease.markLong();
    return 'free';
  };
  const becomeLong = () => {
    // Batches have a limit of their own.
    entering ??= limitedQueueOf(job) !== undefined ? Promise.resolve('free') : enter();
    return entering;
  };
  const watch = async () => {
    const endsAt = addMs(claimedAt, maxShortSeconds * 1_000);
    await clock.sleep(Date.parse(endsAt) - clock.now().getTime(), stopped.signal);
    if (!stopped.signal.aborted) await becomeLong();
  };
  // At the limit the signal aborts; without the table the worker goes on.
  const watching = watch().catch(() => undefined);

  return {
    signal: full.signal,
    async expectSeconds(seconds) {
      const heldSeconds = (clock.now().getTime() - claimedAt.getTime()) / 1_000;
      return heldSeconds + seconds > longAfterSeconds ? becomeLong() : 'free';
    },
    isFull: () => full.signal.aborted,
    async stop() {
      stopped.abort();
      await watching;
      await entering?.catch(() => undefined);
    },
  };
}

/** With few workers, long jobs leave one to short ones only while some wait. */
async function enterLimit(deps: FunctionPorts, job: JobIn<'processing'>): Promise<boolean> {
  if (await enterQueueLimit(deps, job, { limited: longJobsQueue, shortWaits: true })) return true;
  const [short] = await deps.jobs.waiting({ limit: 1 });
  return short === undefined && enterQueueLimit(deps, job, { limited: longJobsQueue, shortWaits: false });
}
