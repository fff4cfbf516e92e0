import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { attemptPrefix, type StoredFile } from '../../core/jobs/stored-file.ts';
import { downloadName } from '../../core/media/outputs/download-name.ts';
import { describeFile } from '../../core/media/outputs/file-record.ts';
import { mapConcurrent } from './map-concurrent.ts';
import type { MeasuredOutput } from './measured-output.ts';
import type { WorkerContext, WorkerDeps } from './worker-deps.ts';

/** Files up to this size are uploaded concurrently. A larger one is a multipart upload, which fills bandwidth and memory. */
const maxSmallFileBytes = 16 * 1024 * 1024;
const maxConcurrentUploads = 8;

/** A finished file on the disk, and its record. */
export type DescribedOutput = { name: string; path: string; sizeBytes: number; file: StoredFile };

/** Describes finished files as the record of their job does. */
export function describeOutputs(
  { newId }: WorkerDeps,
  { job }: WorkerContext,
  finished: readonly MeasuredOutput[],
): DescribedOutput[] {
  const [inputUrl = ''] = inputUrls(job.request);
  return finished.map(({ planned, path, sizeBytes, probe }) => {
    const file: StoredFile = {
      ...describeFile({
        fileId: newId(),
        filename: downloadName(inputUrl, planned),
        format: planned.format,
        sizeBytes,
        probe,
      }),
      key: attemptPrefix(job.jobId, job.attempt) + planned.filename,
    };
    return { name: planned.name, path, sizeBytes, file };
  });
}

/** Uploads finished files to the media bucket; returns their records by output name. */
export async function storeOutputs(
  { files }: WorkerDeps,
  { report, signal }: WorkerContext,
  outputs: readonly DescribedOutput[],
): Promise<Record<string, StoredFile>> {
  const uploads = outputs.map((output) => ({ ...output, uploadedBytes: 0 }));
  const reportUpload = () => report({ stage: 'uploading', fraction: uploadedFraction(uploads) });
  reportUpload();
  const areSmall = outputs.every(({ sizeBytes }) => sizeBytes <= maxSmallFileBytes);
  await mapConcurrent(uploads, areSmall ? maxConcurrentUploads : 1, async (output) => {
    const { path, file } = output;
    const onProgress = (bytes: number) => {
      output.uploadedBytes = bytes;
      reportUpload();
    };
    await files.upload({ path, key: file.key, mimeType: file.mime_type, signal, onProgress });
    onProgress(output.sizeBytes);
  });
  return Object.fromEntries(uploads.map(({ name, file }) => [name, file]));
}

/** From 0 to 1, by bytes. */
function uploadedFraction(files: readonly { sizeBytes: number; uploadedBytes: number }[]): number {
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const uploadedBytes = files.reduce((sum, file) => sum + file.uploadedBytes, 0);
  return totalBytes === 0 ? 0 : uploadedBytes / totalBytes;
}
