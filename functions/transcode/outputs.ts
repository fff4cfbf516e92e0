import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { attemptPrefix, type StoredFile } from '../../core/jobs/stored-file.ts';
import { downloadName } from '../../core/media/download-name.ts';
import { describeFile } from '../../core/media/file-record.ts';
import type { Finished } from './measure-outputs.ts';
import { sideBySide } from './side-by-side.ts';
import type { WorkContext, WorkPorts } from './work.ts';

/** Files up to this size travel side by side; a larger one is sent in parts, which fill the line and memory alone. */
const smallBytes = 16 * 1024 * 1024;
const smallAtOnce = 8;

/** Uploads finished files; returns their records by output name. */
export async function storeOutputs(
  { files, newId }: Pick<WorkPorts, 'files' | 'newId'>,
  { job, lease, signal }: WorkContext,
  finished: readonly Finished[],
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
    return { name: planned.name, path, file };
  });
  let done = 0;
  lease.report({ stage: 'uploading', fraction: 0 });
  const atOnce = finished.every(({ sizeBytes }) => sizeBytes <= smallBytes) ? smallAtOnce : 1;
  await sideBySide(stored, atOnce, async ({ path, file }) => {
    await files.upload({ path, key: file.key, mimeType: file.mime_type, signal });
    done += 1;
    lease.report({ stage: 'uploading', fraction: done / stored.length });
  });
  return Object.fromEntries(stored.map(({ name, file }) => [name, file]));
}
