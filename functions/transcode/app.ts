import { maxIndexLagSeconds } from '../../core/jobs/lanes.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import type { JobIn, TerminalJob } from '../../core/jobs/record.ts';
import { requeueForLongLane } from '../../core/jobs/transitions.ts';
import { removeWorkFiles } from '../chunked/cleanup.ts';
import { retryUntil } from '../terminate-job/retry-until.ts';
import { holdLease } from '../worker/lease.ts';
import { recordInputs, recordRuns, storeRunLog } from '../worker/run-log.ts';
import type { TranscodeDeps } from '../worker/worker-deps.ts';
import { claimNextJob } from './claim-job.ts';
import {
  type EndingAttempt,
  endAttempt,
  keepsFiles,
  type Processed,
  removeAttemptFiles,
} from './end-attempt.ts';
import { reasonForFargate } from './exceeds-function.ts';
import { laneOfJob } from './lane-of-job.ts';
import { limitSignals } from './limit-signals.ts';
import { processJob } from './process-job.ts';
import { type StoredChunkPlan, startExecution } from './start-execution.ts';
import { startFargateTask } from './start-fargate-task.ts';

export type TranscodeResult = TerminalJob['state'] | 'ignored' | 'lost' | 'delegated' | 'waits-for-permit';

type Attempt = Omit<EndingAttempt, 'processed'> & {
  processed: Processed | { chunkPlan: StoredChunkPlan };
  deadline: Date;
};

/**
 * Claims the next job, processes it before `deadline` and ends it, or delegates it to an execution: that encodes chunks, or
 * that runs a Fargate task.
 * A repeated message is ignored. If the lease is lost, the result is discarded and the attempt's files are removed.
 */
export function transcode(
  deps: TranscodeDeps,
): (message: JobRef, deadline: Date) => Promise<TranscodeResult> {
  return async (message, deadline) => {
    const claimed = await claimNextJob(deps, message);
    if (claimed === undefined) return 'ignored';
    // Disposed after the terminal write: it does not wait for the removal, and no cleanup error fails a finished job.
    await using workspaces = new AsyncDisposableStack();
    const openWorkspace = async () => {
      const workspace = await deps.openWorkspace();
      workspaces.defer(() => workspace.remove().catch((cause) => deps.onUnexpected(claimed, cause)));
      return workspace;
    };
    const lease = holdLease(deps, claimed);
    const deadlineTimer = new AbortController();
    const limits = limitSignals(deps, claimed, { deadline, cancelled: deadlineTimer.signal });
    const lane = laneOfJob(deps, claimed, { lease, deadline });
    const signal = AbortSignal.any([lease.signal, lane.signal, ...limits]);
    const { encoder, runs } = recordRuns(deps.encoder);
    const { download, inputs } = recordInputs(deps.download);
    const { expectSeconds } = lane;
    let leavesCopy = false;
    const onCopy = () => {
      leavesCopy = true;
    };
    const context = { job: claimed, report: lease.report, signal, deadline, expectSeconds, onCopy };
    const processed = await processJob({ ...deps, encoder, download, openWorkspace }, context).catch(
      (error: unknown): { error: unknown } => ({ error }),
    );
    deadlineTimer.abort();
    await lane.stop();
    const job = await lease.release();
    const waits = lane.isFull() && 'error' in processed;
    if (!waits) await storeRunLog(deps, job, { inputs, runs });
    const result = lease.signal.aborted
      ? 'lost'
      : await (waits
          ? waitForPermit(deps, job)
          : finishAttempt(deps, { job, processed, lease, leavesCopy, deadline }));
    if (!keepsFiles(processed, result) && ['lost', 'failed', 'waits-for-permit'].includes(result))
      await removeAttemptFiles(deps, job);
    // An earlier attempt may have left chunks.
    else if (result !== 'delegated' && job.attempt > 1) await removeWorkFiles(deps, job);
    return result;
  };
}

async function finishAttempt(
  deps: TranscodeDeps,
  { job, processed, lease, leavesCopy, deadline }: Attempt,
): Promise<TerminalJob['state'] | 'delegated' | 'lost'> {
  if ('chunkPlan' in processed) return startExecution(deps, job, processed.chunkPlan);
  const { fargate } = deps;
  const reason =
    'error' in processed ? reasonForFargate(deps, job, { error: processed.error, deadline }) : undefined;
  if (fargate !== undefined && reason !== undefined)
    return startFargateTask({ ...deps, fargate }, job, reason);
  return endAttempt(deps, { job, processed, lease, leavesCopy });
}

/** Requeues a long job. Its message comes once the index lists it, so that each permit that is freed from now on finds it. */
async function waitForPermit(
  { jobs, queue, clock, onUnexpected }: TranscodeDeps,
  job: JobIn<'processing'>,
): Promise<'waits-for-permit' | 'lost'> {
  const change = requeueForLongLane(job, clock.now());
  const { written } = await retryUntil(clock, new Date(job.dueAt), () => jobs.write(change));
  if (!written) return 'lost';
  await queue.send(job, { delaySeconds: maxIndexLagSeconds }).catch((cause) => onUnexpected(job, cause));
  return 'waits-for-permit';
}
