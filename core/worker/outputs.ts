import type { StoredObject } from '@media-jobs/video/chunking';
import type { PlannedOutput } from '@media-jobs/video/encoding';
import { JobError } from '@media-jobs/video/errors';
import type { Workspace } from '@media-jobs/video/ffmpeg';
import { canReferenceFiles, describeFile, verifyOutput, verifyPlaylist } from '@media-jobs/video/media';
import { mapConcurrent } from '../async.ts';
import type { StepsInBucket } from '../jobs/job-result.ts';
import { readSteps } from '../jobs/read-steps.ts';
import type { JobIn } from '../jobs/record.ts';
import { downloadName, inputUrls } from '../jobs/request-inputs.ts';
import { outputPrefix } from '../jobs/retention.ts';
import { fileKey, filePathOf, folderOf, isFileOf, placeOf, type StoredFile, sizeBytesOf } from '../jobs/stored-file.ts';
import { hasCostLimit } from '../jobs/usage.ts';
import { costOfStoredFiles, findExceededCost } from '../pricing/cost-limit.ts';
import { assemblyParts } from '../storage/assembly.ts';
import { type MeasuredOutput, packageStream, type WrittenOutputs } from './package-stream.ts';
import type { StoringPorts, WorkerPorts } from './ports.ts';
import type { WorkerContext } from './worker-context.ts';

/** How many finished files are probed at the same time: each probe is a short process of one thread. */
export const maxConcurrentProbes = 4;

/** Files up to this size are uploaded concurrently. A larger one is a multipart upload, which fills bandwidth and memory. */
const maxSmallFileBytes = 16 * 1024 * 1024;
const maxConcurrentUploads = 8;

/** A finished file on the disk, or one to be copied from an object of the media bucket, and its record. */
export type DescribedOutput = {
  name: string;
  sizeBytes: number;
  file: StoredFile;
  /** S3 assembled it, and nothing is at `path`. */
  isStored?: boolean;
} & ({ path: string; object?: never } | { path?: never; object: StoredObject });

/**
 * Measures every finished file and compares it with the plan. Playlists come last: they are written from the measurements
 * of the media files, which are encrypted only then.
 * @throws JobError `TRANSCODE_ERROR` if a file does not agree with its plan
 */
export async function measureOutputs(
  { media: encoder, contentKeys }: StoringPorts,
  { job, signal }: { job: WorkerContext['job']; signal: AbortSignal },
  written: WrittenOutputs,
): Promise<MeasuredOutput[]> {
  const { outputs, directory, workspace, stored } = written;
  const outputFilenames = outputs.map(({ filename }) => filename);
  const probeOutput = async (path: string, { format, expectation }: PlannedOutput) => {
    if (expectation === undefined) return undefined;
    if (expectation.referencesFiles && canReferenceFiles(format)) {
      verifyPlaylist(await workspace.readText(path), { format, outputFilenames, ...expectation });
      return undefined;
    }
    const probe = await encoder.probe(path, { signal, role: 'output' });
    verifyOutput(probe, expectation);
    return probe;
  };
  const measure = async (planned: PlannedOutput): Promise<MeasuredOutput> => {
    const { filename, content } = planned;
    const path = `${directory}/${filename}`;
    const object = stored?.get(filename);
    if (object !== undefined) {
      if (planned.expectation !== undefined) verifyOutput(object.probe, planned.expectation);
      return { planned, path, ...object };
    }
    if (content !== undefined) await workspace.writeText(path, content);
    const probe = await probeOutput(path, planned);
    return { planned, path, sizeBytes: await workspace.sizeBytes(path), probe };
  };
  const isPlaylist = ({ expectation }: PlannedOutput) => expectation?.referencesFiles === true;
  const clear = await mapConcurrent(
    outputs.filter((output) => !isPlaylist(output)),
    maxConcurrentProbes,
    measure,
  );
  const isStream = outputs.some(({ playlist }) => playlist !== undefined);
  const media = isStream ? await packageStream(contentKeys, job, { written, media: clear }) : clear;
  const playlists = await mapConcurrent(outputs.filter(isPlaylist), maxConcurrentProbes, measure);
  return [...media, ...playlists].toSorted(
    (one, other) => outputs.indexOf(one.planned) - outputs.indexOf(other.planned),
  );
}

/**
 * Describes finished files as the record of their job does.
 * @param prefix of their keys in the media bucket, if they are not delivered
 */
export function describeOutputs(
  { newId }: { newId: () => string },
  { job }: { job: WorkerContext['job'] },
  finished: readonly MeasuredOutput[],
  prefix?: string,
): (DescribedOutput & { path: string })[] {
  const [url = ''] = inputUrls(job.request);
  const source = { url, statedName: job.sourceName };
  return finished.map(({ planned, path, sizeBytes, probe, fragments }) => {
    const file: StoredFile = {
      ...describeFile({
        fileId: newId(),
        filename: downloadName(source, planned),
        format: planned.format,
        sizeBytes,
        probe,
      }),
      key: fileKey(prefix ?? outputPrefix(job, planned.folder), planned),
    };
    return { name: planned.name, path, sizeBytes, file, isStored: fragments !== undefined };
  });
}

/** Uploads finished files to the media bucket, unless they are there; returns their records by output name. */
export async function storeOutputs(
  { files }: WorkerPorts,
  { report, signal }: WorkerContext,
  outputs: readonly DescribedOutput[],
): Promise<Record<string, StoredFile>> {
  const uploads = outputs.filter(({ isStored }) => !isStored).map((output) => ({ ...output, uploadedBytes: 0 }));
  const reportUpload = () => report({ stage: 'uploading', fraction: uploadedFraction(uploads) });
  reportUpload();
  const areSmall = uploads.every(({ sizeBytes }) => sizeBytes <= maxSmallFileBytes);
  await mapConcurrent(uploads, areSmall ? maxConcurrentUploads : 1, async (output) => {
    const { path, object, sizeBytes, file } = output;
    const onProgress = (bytes: number) => {
      output.uploadedBytes = bytes;
      reportUpload();
    };
    const target = { key: file.key, mimeType: file.mime_type, signal, onProgress };
    if (path !== undefined) await files.upload({ path, ...target });
    else await files.assemble({ parts: assemblyParts([{ ...object, start: 0, end: sizeBytes }]), ...target });
    onProgress(output.sizeBytes);
  });
  return Object.fromEntries(outputs.map(({ name, file }) => [name, file]));
}

/** From 0 to 1, by bytes. */
function uploadedFraction(files: readonly { sizeBytes: number; uploadedBytes: number }[]): number {
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const uploadedBytes = files.reduce((sum, file) => sum + file.uploadedBytes, 0);
  return totalBytes === 0 ? 0 : uploadedBytes / totalBytes;
}

/**
 * Compares the limit of a job with what its functions have cost and its finished files will cost, before their upload.
 * Returns the dollars of the files: of their storage, or of the transfer to a storage provider; 0 without a limit.
 * @throws JobError `COST_LIMIT`
 */
export function requireFittingFiles(
  { money: { stage }, clock }: WorkerPorts,
  job: JobIn<'processing'>,
  outputs: readonly { name: string; file: StoredFile }[],
): number {
  if (!hasCostLimit(job)) return 0;
  const files = Object.fromEntries(outputs.map(({ name, file }) => [name, file]));
  const filesUsd = costOfStoredFiles(files, stage, job);
  const exceeded = findExceededCost({ ...job, filesUsd }, stage, clock.now());
  if (exceeded !== undefined) throw exceeded;
  return filesUsd;
}

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
