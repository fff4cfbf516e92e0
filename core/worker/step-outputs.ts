import type { StoredObject } from '@media-jobs/video/chunking';
import { JobError } from '@media-jobs/video/errors';
import type { Workspace } from '@media-jobs/video/ffmpeg';
import { mapConcurrent } from '../async.ts';
import type { StepsInBucket } from '../jobs/job-result.ts';
import { readSteps } from '../jobs/read-request.ts';
import type { JobIn } from '../jobs/record.ts';
import { outputPrefix } from '../jobs/retention.ts';
import { filePathOf, folderOf, isFileOf, placeOf, type StoredFile, sizeBytesOf } from '../jobs/stored-file.ts';
import { assemblyParts } from '../storage/assembly.ts';
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

/**
 * Copies the finished outputs that a retry takes over to keys of its own, in the bucket. The steps from the first one on whose
 * output is gone are left to be made anew.
 */
export async function adoptSteps(
  { files }: WorkerPorts,
  { job, signal }: { job: JobIn<'processing'>; signal: AbortSignal },
): Promise<StepsInBucket | undefined> {
  const { completedSteps: completed } = job;
  if (completed === undefined) return undefined;
  const steps = readSteps(job.request);
  let count = completed.count;
  const adopt = async <File extends { key: string }>(file: File, index: number): Promise<File> => {
    if (isFileOf(job, file)) return file;
    const found = await files.find(file.key);
    if (found === undefined) {
      count = Math.min(count, index);
      return file;
    }
    const key = outputPrefix(job, folderOf(file)) + filePathOf(file);
    const part = { key: file.key, etag: found.etag, start: 0, end: found.sizeBytes };
    const mimeType = 'mime_type' in file ? String(file.mime_type) : 'application/octet-stream';
    await files.assemble({ parts: assemblyParts([part]), key, mimeType, signal });
    return { ...file, key };
  };
  const stepOf = (file: { key: string }) => steps.findIndex(({ name }) => name === folderOf(file));
  const { files: ofOutputs, ...result } = completed.result;
  const stored = await mapConcurrent(Object.entries(ofOutputs), maxConcurrentCopies, async ([name, file]) => {
    const index = stepOf(file);
    return { index, entry: [name, await adopt(file, index)] as const };
  });
  const read = await mapConcurrent(
    Object.entries(completed.intermediates),
    maxConcurrentCopies,
    async ([index, file]) => {
      return { index: Number(index), entry: [index, await adopt(file, Number(index))] as const };
    },
  );
  const left = <Entry>(entries: readonly { index: number; entry: readonly [string, Entry] }[]) =>
    Object.fromEntries(entries.filter(({ index }) => index < count).map(({ entry }) => entry));
  return { ...completed, count, result: { ...result, files: left(stored) }, intermediates: left(read) };
}

const maxConcurrentCopies = 8;
