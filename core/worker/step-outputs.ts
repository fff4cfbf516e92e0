import type { StoredObject } from '@media-jobs/video/chunking';
import { JobError } from '@media-jobs/video/errors';
import type { Workspace } from '@media-jobs/video/ffmpeg';
import { placeOf } from '../jobs/destination.ts';
import type { JobIn, StepsInBucket } from '../jobs/record.ts';
import { folderOf, type StoredFile, sizeBytesOf } from '../jobs/stored-file.ts';
import type { DescribedOutput } from './outputs.ts';
import type { WorkerPorts } from './ports.ts';

/**
 * Where the output of a completed step lies that a later step reads.
 * @throws JobError `TIMEOUT` if the bucket has removed it
 */
export async function findIntermediate(
  { files }: WorkerPorts,
  key: string,
): Promise<StoredObject & { sizeBytes: number }> {
  const found = await files.find(key);
  if (found === undefined) throw missingOutputs(key);
  return { key, ...found };
}

/** A retry makes anew what is missing. */
function missingOutputs(key: string): JobError {
  const message =
    `The outputs of the completed steps are no longer stored: ${key} is missing. The job ran or waited for longer than the ` +
    'service keeps them. Retry it: a retry makes them again';
  return new JobError('TIMEOUT', message, { retryable: true });
}

/**
 * The outputs of completed steps that the job delivers, to be completed with those of its last step. Those for a storage
 * provider are downloaded; in the media bucket they are where the job keeps them.
 */
export async function earlierOutputs(
  { files }: WorkerPorts,
  { job, signal }: { job: JobIn<'processing'>; signal: AbortSignal },
  { completed, workspace }: { completed: StepsInBucket | undefined; workspace: Workspace },
): Promise<DescribedOutput[]> {
  const stored = Object.entries(completed?.result.files ?? {});
  if (stored.length === 0) return [];
  const directory = await workspace.makeDirectory('earlier-steps');
  const outputs: DescribedOutput[] = [];
  for (const [name, file] of stored) {
    const path = `${directory}/${outputs.length}`;
    const isForProvider = placeOf(job.destination, folderOf(file)) !== undefined;
    if (isForProvider && (await files.download({ key: file.key, path, signal })) === undefined)
      throw missingOutputs(file.key);
    outputs.push({ name, path, sizeBytes: sizeBytesOf(file), file, isStored: !isForProvider });
  }
  return outputs;
}

/** The result of a job with the files of a step that is completed. */
export function withFiles(
  { result, ...steps }: StepsInBucket,
  files: Readonly<Record<string, StoredFile>>,
): StepsInBucket {
  return { ...steps, result: { ...result, files: { ...result.files, ...files } } };
}
