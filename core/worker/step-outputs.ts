import type { StoredObject } from '@media-jobs/video/chunking';
import { JobError } from '@media-jobs/video/errors';
import type { Workspace } from '@media-jobs/video/ffmpeg';
import type { StepsInBucket } from '../jobs/execution-transitions.ts';
import type { JobIn } from '../jobs/record.ts';
import { outputPrefix } from '../jobs/retention.ts';
import { type StepOutputs, stepOutputsSchema } from '../jobs/step-outputs.ts';
import { filePathOf, folderOf, type StoredFile } from '../jobs/stored-file.ts';
import { stepPrefix } from '../jobs/work-files.ts';
import type { DescribedOutput } from './outputs.ts';
import type { WorkerPorts } from './ports.ts';

/** The completed steps of a pipeline, as a worker or a join that goes on with it reads them. */
export type CompletedOutputs = StepOutputs & { count: number };

/**
 * Undefined if no step of the job is completed.
 * @throws JobError `TIMEOUT` if the bucket has removed the outputs
 */
export async function readStepOutputs(
  { files }: WorkerPorts,
  { completedSteps }: JobIn<'processing'>,
): Promise<CompletedOutputs | undefined> {
  if (completedSteps === undefined) return undefined;
  const { key, count } = completedSteps;
  const text = await files.readText(key);
  if (text === undefined) throw missingOutputs(key);
  return { count, ...stepOutputsSchema.parse(JSON.parse(text)) };
}

/** Stores what completed steps leave, behind their files. Returns what the record of the job says of them. */
export async function storeStepOutputs(
  { files, newId }: WorkerPorts,
  { jobId }: { jobId: string },
  { count, ...outputs }: CompletedOutputs,
): Promise<StepsInBucket> {
  const key = `${stepPrefix(jobId, newId())}outputs.json`;
  await files.writeText(key, JSON.stringify(outputs satisfies StepOutputs));
  return { count, key };
}

/** A retry is another job: it has no completed steps. */
function missingOutputs(key: string): JobError {
  const message =
    `The outputs of the completed steps are no longer stored: ${key} is missing. The job ran or waited for longer than the ` +
    'service keeps them. Retry it: a retry begins with the first step';
  return new JobError('TIMEOUT', message, { retryable: true });
}

/**
 * Where the output of completed steps lies that the next step reads.
 * @throws JobError `TIMEOUT` if the bucket has removed it
 */
export async function findIntermediate(
  { files }: WorkerPorts,
  { intermediate: key }: { intermediate: string },
): Promise<StoredObject & { sizeBytes: number }> {
  const found = await files.find(key);
  if (found === undefined) throw missingOutputs(key);
  return { key, ...found };
}

/**
 * The outputs of completed steps that the job delivers, to be stored with those of its last step. For a storage provider
 * they are downloaded; in the media bucket S3 copies them.
 */
export async function earlierOutputs(
  deps: WorkerPorts,
  { job, signal }: { job: JobIn<'processing'>; signal: AbortSignal },
  { completed, workspace }: { completed: CompletedOutputs | undefined; workspace: Workspace },
): Promise<DescribedOutput[]> {
  const files = Object.entries(completed?.result.files ?? {});
  if (files.length === 0) return [];
  const directory = await workspace.makeDirectory('earlier-steps');
  const outputs: DescribedOutput[] = [];
  for (const [name, stored] of files) {
    const { sizeBytes, ...object } = await findIntermediate(deps, { intermediate: stored.key });
    const file: StoredFile = { ...stored, key: outputPrefix(job, folderOf(stored)) + filePathOf(stored) };
    if (job.destination === undefined) {
      outputs.push({ name, object, sizeBytes, file });
      continue;
    }
    const path = `${directory}/${outputs.length}`;
    if ((await deps.files.download({ key: stored.key, path, signal })) === undefined) throw missingOutputs(stored.key);
    outputs.push({ name, path, sizeBytes, file });
  }
  return outputs;
}
