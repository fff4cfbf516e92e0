import { isPermanentFailure } from '../../../core/chunked/run-task-message.ts';
import type { Job } from '../../../core/jobs/record.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { aJobId } from '../jobs/jobs.ts';
import type { SomePorts } from '../jobs/worker-ports.ts';
import type { ChunkedStage } from './a-chunked-stage.ts';
import { chunkedJob, queueJob, runTranscode } from './chunked-job.ts';

type Options = {
  jobId?: string;
  overrides?: SomePorts;
  /** Called with the requeued job after each join that completed a step. */
  onJoined?: (job: Job) => Promise<void>;
};

/** Runs a job through all functions until it ends; the test takes the place of queues and state machines. */
export async function runToEnd(
  stage: ChunkedStage,
  request: JobRequestRecord,
  { jobId = aJobId(), overrides, onJoined }: Options = {},
): Promise<Job> {
  const queued = await queueJob(stage, request, jobId);
  for (let attempt = 1; attempt < 10; attempt += 1) {
    if ((await runTranscode(stage, queued, overrides)) !== 'delegated') break;
    const execution = chunkedJob(stage, `${queued.jobId}-${attempt}`);
    for (const { chunk } of execution.input.first) await execution.encode(chunk);
    const failed = await execution.encodeAll().then(() => false, isPermanentOrThrow);
    if ((await execution.join({ failed }, overrides)) !== 'requeued') break;
    await onJoined?.(await execution.job());
  }
  const ended = await stage.ports.jobs.get(queued);
  if (ended === undefined || ended.state === 'deleted') throw new Error('The job is gone');
  return ended;
}

/** A permanent failure ends the execution, which joins nothing. */
function isPermanentOrThrow(cause: unknown): true {
  if (isPermanentFailure(cause)) return true;
  throw cause;
}
