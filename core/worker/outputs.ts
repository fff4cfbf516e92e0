import type { StoredObject } from '@media-jobs/video/chunking';
import type { PlannedOutput } from '@media-jobs/video/encoding';
import { canReferenceFiles, describeFile, verifyOutput, verifyPlaylist } from '@media-jobs/video/media';
import { mapConcurrent } from '../async.ts';
import { hasCostLimit } from '../jobs/job-cost.ts';
import { downloadName, inputUrls } from '../jobs/read-request.ts';
import type { JobIn } from '../jobs/record.ts';
import { outputPrefix } from '../jobs/retention.ts';
import { fileKey, type StoredFile } from '../jobs/stored-file.ts';
import { costOfStoredFiles, findExceededCost } from '../pricing/cost-limit.ts';
import { assemblyParts } from '../storage/assembly.ts';
import { type MeasuredOutput, packageStream, type WrittenOutputs } from './package-stream.ts';
import type { StoringPorts, WorkerPorts } from './ports.ts';
import type { WorkerContext } from './worker-context.ts';

/** A probe is a short process of one thread. */
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
