import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { attemptPrefix, type StoredFile } from '../../core/jobs/stored-file.ts';
import { downloadName } from '../../core/media/outputs/download-name.ts';
import { describeFile } from '../../core/media/outputs/file-record.ts';
import type { WorkerContext, WorkerDeps } from '../transcode/process-job.ts';
import { mapConcurrent } from './map-concurrent.ts';
import type { MeasuredOutput } from './measure-outputs.ts';

/** Files up to this size travel side by side; a larger one is sent in parts, which fill the line and memory alone. */
const smallBytes = 16 * 1024 * 1024;
const smallAtOnce = 8;

/** Uploads finished files; returns their records by output name. */
export async function storeOutputs(
  { files, newId }: Pick<WorkerDeps, 'files' | 'newId'>,
  { job, lease, signal }: WorkerContext,
  finished: readonly MeasuredOutput[],
): Promise<Record<string, StoredFile>> {
  const [inputUrl = ''] = inputUrls(job.request);
  const stored = finished.map(({ planned, path, sizeBytes, probe }) => {
    const file: StoredFile = {
      ...describeFile({
        fileId: newId(),
        filename: downloadName(inputUrl, planned),
        format: planned.format,
        sizeBytes,
        ...(probe === undefined ? {} : { probe }),
      }),
      key: attemptPrefix(job.jobId, job.attempt) + planned.filename,
    };
    return { name: planned.name, path, file, sizeBytes, sentBytes: 0 };
  });
  const report = () => lease.report({ stage: 'uploading', fraction: sentShare(stored) });
  report();
  const atOnce = finished.every(({ sizeBytes }) => sizeBytes <= smallBytes) ? smallAtOnce : 1;
  await mapConcurrent(stored, atOnce, async (each) => {
    const { path, file } = each;
    const onProgress = (bytes: number) => {
      each.sentBytes = bytes;
      report();
    };
    await files.upload({ path, key: file.key, mimeType: file.mime_type, signal, onProgress });
    onProgress(each.sizeBytes);
  });
  return Object.fromEntries(stored.map(({ name, file }) => [name, file]));
}

/** How much of all files is stored, from 0 to 1, by their bytes. */
function sentShare(files: readonly { sizeBytes: number; sentBytes: number }[]): number {
  const [sent, all] = [sum(files.map((file) => file.sentBytes)), sum(files.map((file) => file.sizeBytes))];
  return all === 0 ? 0 : sent / all;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
