import type { DelegatedJobInput, JobRef } from '../../../core/jobs/ports.ts';
import type { ClaimPorts, FunctionPorts } from '../../../core/worker/ports.ts';
import { takeOverJob } from '../../../functions/fargate-task/run-slot.ts';
import { claimNextJob } from '../../../functions/open-job/claim-job.ts';
import { type TranscodeResult, transcode } from '../../../functions/transcode/transcode.ts';

/** Processes the next job as a function does that gets this message. */
export function transcodeNext(
  deps: FunctionPorts & ClaimPorts,
  message: JobRef,
  deadline: Date,
): Promise<TranscodeResult> {
  return transcode(deps, { take: () => claimNextJob(deps, message), deadline });
}

/** Processes the next job as a task of the pool does. */
export function transcodeInPool(
  deps: FunctionPorts & ClaimPorts,
  message: JobRef,
  deadline: Date,
): Promise<TranscodeResult> {
  const task = { ...deps, kind: 'task', isPool: true } as const;
  return transcode(task, { take: () => claimNextJob(deps, message), deadline });
}

/** Processes a delegated job as a Fargate task does. */
export function transcodeDelegated(
  deps: FunctionPorts,
  input: DelegatedJobInput,
  limits: { deadline: Date; stopped: AbortSignal },
): Promise<TranscodeResult> {
  const task = { ...deps, kind: 'task' } as const;
  return transcode(task, { take: () => takeOverJob(task, input), ...limits });
}
