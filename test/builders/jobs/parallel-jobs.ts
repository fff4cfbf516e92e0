import { delegateToExecution, recordExecution } from '../../../core/jobs/execution-transitions.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { aProcessingJob, later } from './jobs.ts';

type Choice = Parameters<typeof aProcessingJob>[0] & { parts?: number };

/** A job that its worker delegated to the execution `parallel-1` six seconds after its creation. */
export function aParallelJob({ parts = 4, ...choice }: Choice = {}): JobIn<'processing'> {
  const execution = { name: 'parallel-1', taskCount: parts };
  const named = recordExecution(aProcessingJob(choice), { execution, now: later(5_000) });
  return delegateToExecution(named.job, later(6_000)).job;
}
