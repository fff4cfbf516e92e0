import type { ChunkedWork } from '@media-jobs/video/chunking';
import { joinWarnings } from '@media-jobs/video/media';
import type { JobResult, StepsInBucket } from '../../core/jobs/job-result.ts';
import { failureWarnings, numberEnds } from '../../core/jobs/outcome.ts';
import { readSteps } from '../../core/jobs/read-steps.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { outputPrefix } from '../../core/jobs/retention.ts';
import { stepPrefix } from '../../core/jobs/work-files.ts';
import type { WorkerPorts } from '../../core/worker/ports.ts';
import { withFiles } from '../../core/worker/step-outputs.ts';

/** Whether the work of an execution is the last step of its job that makes an output. */
export function isLastStep({ request, completedSteps }: JobIn<'processing'>, { step }: ChunkedWork): boolean {
  const steps = readSteps(request);
  const ended = numberEnds(steps, completedSteps?.result.ended);
  return steps.every((_, index) => index <= step || ended.has(index));
}

/**
 * The prefix of the keys of the outputs. Each join of a step that others follow has keys of its own: what another one has
 * stored may be read already.
 */
export function prefixOf({ newId }: WorkerPorts, job: JobIn<'processing'>, work: ChunkedWork): string {
  const isNamed = readSteps(job.request)[work.step]?.name !== undefined;
  const prefix = outputPrefix(job, work.outputs[0]?.folder);
  if (isLastStep(job, work)) return prefix;
  return isNamed ? `${prefix}${newId()}/` : stepPrefix(job.jobId, newId());
}

/** The result of a job with what its tasks took, and with the warnings of failed outputs if it is complete. */
export function resultOf(job: JobIn<'processing'>, work: ChunkedWork): Omit<JobResult, 'files'> {
  const { ended, outputMs } = job.completedSteps?.result ?? {};
  const { name, output } = readSteps(job.request)[work.step] ?? {};
  const ms = Object.values(job.taskMs ?? {}).reduce((sum, each) => sum + each, 0);
  const warnings = joinWarnings(work.result.warnings, isLastStep(job, work) ? failureWarnings(ended) : []);
  return {
    ...work.result,
    ...(warnings.length > 0 && { warnings }),
    ...(ended && { ended }),
    ...(output !== undefined && name !== undefined && { outputMs: { ...outputMs, [name]: ms } }),
  };
}

type JoinedStep = { work: ChunkedWork; files: JobResult['files']; result: Omit<JobResult, 'files'> };

/** What a joined step leaves for those behind it, as the record of the job has it. */
export function completedBy(
  { request, completedSteps }: JobIn<'processing'>,
  { work: { step }, files, result }: JoinedStep,
): StepsInBucket {
  const steps = readSteps(request);
  const { name, isIntermediate } = steps[step] ?? {};
  const { attempts: _, chunking: __, ...earlier } = completedSteps ?? { attempts: 0, intermediates: {} };
  const [output] = Object.values(files);
  const isRead = output !== undefined && steps.some(({ from }) => from === step);
  const isDelivered = name !== undefined && isIntermediate === false;
  const stored = completedSteps?.result.files ?? {};
  return withFiles(
    {
      ...earlier,
      count: step + 1,
      result: { ...result, files: stored },
      intermediates: { ...earlier.intermediates, ...(isRead && { [step]: { key: output.key } }) },
    },
    isDelivered ? files : {},
  );
}
