import type { ChunkedWork } from '@media-jobs/video/chunking';
import type { StepsInBucket } from '../../core/jobs/execution-transitions.ts';
import type { JobResult } from '../../core/jobs/job-result.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { outputPrefix } from '../../core/jobs/retention.ts';
import { stepPrefix } from '../../core/jobs/work-files.ts';
import type { WorkerPorts } from '../../core/worker/ports.ts';
import { type CompletedOutputs, storeStepOutputs } from '../../core/worker/step-outputs.ts';

/** Whether the work of an execution is the last step of its job. */
export function isLastStep({ request }: JobIn<'processing'>, { step }: ChunkedWork): boolean {
  return step === (request.steps?.length ?? 1) - 1;
}

/**
 * The prefix of the keys of the outputs. Each join of a step that others follow has keys of its own: what another one has
 * stored may be read already.
 */
export function prefixOf({ newId }: WorkerPorts, job: JobIn<'processing'>, work: ChunkedWork): string {
  return isLastStep(job, work) ? outputPrefix(job, work.outputs[0]?.folder) : stepPrefix(job.jobId, newId());
}

type JoinedStep = {
  work: ChunkedWork;
  completed: CompletedOutputs | undefined;
  /** The only output, by its name. */
  files: JobResult['files'];
  result: Omit<JobResult, 'files'>;
};

/** Stores what a joined step leaves for those behind it. Returns what the record of the job says of it. */
export function storeStep(
  deps: WorkerPorts,
  job: JobIn<'processing'>,
  { work: { step }, completed, files, result }: JoinedStep,
): Promise<StepsInBucket> {
  const [output] = Object.values(files);
  if (output === undefined) throw new TypeError(`Step ${step + 1} has no output`);
  const named = job.request.steps?.[step]?.name === undefined ? {} : files;
  return storeStepOutputs(deps, job, {
    count: step + 1,
    intermediate: output.key,
    result: { ...result, files: { ...completed?.result.files, ...named } },
  });
}
