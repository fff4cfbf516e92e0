import type { FileRecord } from '../media/outputs/file-record.ts';
import { canReferenceFiles } from '../media/playlists/references.ts';
import { playlistUrl } from './playlist-url.ts';
import type { FileLinks } from './ports.ts';
import { progressOf } from './progress-of.ts';
import type { Job, JobFailure, JobIn } from './record.ts';
import type { StoredFile } from './stored-file.ts';

export type FileRecordView = FileRecord & { storage_url: string };

/** The parts of a result that carry signed URLs: made anew for each reader, never stored. */
export type ResultFiles = {
  output?: { signedUrl: string; expiresAt: string };
  outputs?: Record<string, string>;
  output_files?: Record<string, FileRecordView>;
};

/** Whether a job has files that can still be downloaded. */
export function hasDownloadableFiles(job: Job, now: Date): job is JobIn<'completed'> {
  return job.state === 'completed' && now.toISOString() < job.filesExpireAt;
}

/**
 * A job's finished files with fresh signed URLs; nothing for a job without files, or once they have expired. Under
 * `storage_url` each is as it is stored; a playlist under `outputs` is opened where its references are signed too.
 */
export async function resultFiles(job: Job, links: FileLinks, now: Date): Promise<ResultFiles> {
  if (!hasDownloadableFiles(job, now)) return {};
  const files = Object.entries(job.files);
  const signed = await Promise.all(
    files.map(async ([name, file]) => ({ name, file, ...(await links.signDownload(downloadOf(file))) })),
  );
  const output_files = Object.fromEntries(
    signed.map(({ name, file, url }) => {
      const { key: _, ...record } = file;
      return [name, { ...record, storage_url: url }];
    }),
  );
  const [only] = signed;
  if (only?.name === 'output' && signed.length === 1) {
    return { output: { signedUrl: only.url, expiresAt: only.expiresAt.toISOString() }, output_files };
  }
  const outputs = signed.map(({ name, file: { key, file_format }, url: signedUrl }) => [
    name,
    canReferenceFiles(file_format) ? playlistUrl({ publicUrl: links.publicUrl, key, signedUrl }) : signedUrl,
  ]);
  return { outputs: Object.fromEntries(outputs), output_files };
}

/** A job as its owner reads it over the API; the parts with signed URLs come from `resultFiles`. */
export function viewJob(job: Job, files: ResultFiles) {
  const { mode, input, inputs, output, recipe, steps, speed, webhookUrl, metadata } = job.request;
  return {
    jobId: job.jobId,
    state: job.state,
    progress: progressOf(job),
    stage: job.stage,
    request: {
      mode,
      ...(input === undefined ? {} : { input }),
      ...(inputs === undefined ? {} : { inputs }),
      output,
      ...(recipe === undefined ? {} : { recipe }),
      ...(steps === undefined ? {} : { steps }),
      ...(speed === undefined ? {} : { speed }),
      ...(webhookUrl === undefined ? {} : { webhookUrl }),
    },
    attempt: job.attempt,
    ...('chunking' in job && job.chunking !== undefined ? { chunking: job.chunking } : {}),
    createdAt: job.createdAt,
    updatedAt: job.updatedAt,
    startedAt: job.startedAt ?? null,
    completedAt: 'completedAt' in job ? job.completedAt : null,
    filesExpireAt: job.state === 'completed' ? job.filesExpireAt : null,
    ...(job.state === 'processing' && job.estimatedEndAt !== undefined
      ? { estimatedEndAt: job.estimatedEndAt }
      : {}),
    ...(job.state === 'completed' && job.inputSizeBytes !== undefined
      ? { inputSizeBytes: job.inputSizeBytes }
      : {}),
    ...(job.state === 'completed' && job.measurements !== undefined
      ? { measurements: job.measurements }
      : {}),
    ...(job.retryOf === undefined ? {} : { retryOf: job.retryOf }),
    ...(metadata === undefined ? {} : { metadata }),
    ...files,
    ...('error' in job ? { error: job.error satisfies JobFailure } : {}),
  };
}

function downloadOf({ key, filename, mime_type: mimeType }: StoredFile) {
  return { key, filename, mimeType };
}
