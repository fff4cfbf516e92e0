import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { JobResource } from '../../core/api/job-resource.ts';
import { CliError } from '../cli-error.ts';
import { sanitizeLine } from '../show/sanitize.ts';
import { storedFiles } from './stored-files.ts';

/** One output of a job and where it goes. */
export type Destination = { name: string; url: string; path: string };

/**
 * Where the files of a job go. A single one goes to the path asked for, or into it where that is a folder; several go
 * into the folder asked for, else into one called like the job.
 * @throws CliError `conflict` where the job has no files
 */
export async function destinations(
  job: JobResource,
  { asked, directory }: { asked: string | undefined; directory: string },
): Promise<Destination[]> {
  const urls = Object.entries(job.outputs ?? (job.output ? { output: job.output.signedUrl } : {}));
  if (urls.length === 0) throw withoutFiles(job);
  const target = isAbsolute(asked ?? '') ? (asked ?? '') : join(directory, asked ?? '');
  const only = job.outputs === undefined;
  if (only && asked !== undefined && !(await isFolder(target))) {
    return urls.map(([name, url]) => ({ name, url, path: target }));
  }
  const folder = asked === undefined && !only ? join(target, job.jobId) : target;
  const stored = storedFiles(job);
  if (stored) return stored.map(({ name, url, filename }) => ({ name, url, path: join(folder, filename) }));
  return urls.map(([name, url]) => ({ name, url, path: join(folder, safeFilename(job, name)) }));
}

function withoutFiles({ jobId, state, filesExpireAt }: JobResource): CliError {
  if (state !== 'completed') return new CliError('conflict', `Job ${jobId} has no files: it is ${state}.`);
  return new CliError('conflict', `The files of job ${jobId} were kept until ${filesExpireAt}.`, {
    hint: 'Submit it again to have them made anew.',
  });
}

/** Whether a path is that of a folder, one that is still to be made where it ends with a slash. */
export async function isFolder(path: string): Promise<boolean> {
  if (/[/\\]$/.test(path)) return true;
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** The name in the record, as one that any file system takes and that leads nowhere else. */
export function safeFilename({ jobId, output_files = {} }: JobResource, output: string): string {
  const { filename = '', file_format = 'bin' } = output_files[output] ?? {};
  const last = sanitizeLine(filename).split(/[/\\]/).at(-1) ?? '';
  const safe = last.replaceAll(/[<>:"|?*]/g, '_').replace(/^[\s.]+|[\s.]+$/g, '');
  return safe === '' ? `${jobId}-${sanitizeLine(output)}.${sanitizeLine(file_format)}` : safe.slice(-150);
}
