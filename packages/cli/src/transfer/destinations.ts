import { stat } from 'node:fs/promises';
import { isAbsolute, join, parse } from 'node:path';
import type { JobResource } from '@media-jobs/core/api';
import { distinctNameOf } from '@media-jobs/core/api';
import { canReferenceFiles, type ReferencingFormat } from '@media-jobs/video/media';
import { CliError } from '../cli-error.ts';
import { sanitizeLine } from '../show/sanitize.ts';

/** One output of a job, its signed URL and its local path. */
export type Destination = {
  name: string;
  url: string;
  path: string;
  /** Set for a file of a set: its names carry the query of its URL, which a copy does not need. */
  format?: ReferencingFormat;
};

export type DestinationOptions = {
  path: string | undefined;
  workingDirectory: string;
  /** Absolute paths of the inputs that were uploaded for the job. */
  inputs?: readonly string[] | undefined;
};

/** The entries of files. The name of a set is left out: it is a second one of its main file. */
function filesOf<T>(files: Readonly<Record<string, T>>): [name: string, file: T][] {
  const names = Object.keys(files);
  return Object.entries(files).filter(([name]) => !names.some((other) => other.startsWith(`${name}/`)));
}

/** The folder of a set beside other outputs, whose files are `set/file`. */
function setOf(name: string): string[] {
  return name.includes('/') ? [safeName(name.slice(0, name.indexOf('/')))] : [];
}

/**
 * Local paths for the files of a job. What it makes goes into `path` if that is a folder: a single file under its name,
 * several in a new folder named after the job. Otherwise `path` names the file or the new folder. The files of a set beside
 * other outputs have a folder named after it. A file that would replace one of `inputs` gets the suffix `-output`: without a
 * path, an output has the name of its input.
 * @throws CliError `conflict` if the job has no files
 */
export async function destinations(
  job: JobResource,
  { path, workingDirectory, inputs = [] }: DestinationOptions,
): Promise<Destination[]> {
  const urls = filesOf(job.outputs ?? (job.output ? { output: job.output.signedUrl } : {}));
  if (urls.length === 0) throw noFilesError(job);
  const target = targetOf(path, workingDirectory);
  const isSingle = job.outputs === undefined;
  const isParent = path === undefined || (await isFolder(target));
  if (isSingle && !isParent) return urls.map(([name, url]) => ({ name, url, path: target }));
  const folder = isParent && !isSingle ? join(target, job.jobId) : target;
  const linkedFiles = findLinkedFiles(job);
  if (linkedFiles) {
    return linkedFiles.map(({ filename, ...file }) => ({ ...file, path: join(folder, ...setOf(file.name), filename) }));
  }
  return Promise.all(
    urls.map(async ([name, url]) => ({
      name,
      url,
      path: await besideInputs(join(folder, ...setOf(name), safeFilename(job, name)), inputs),
    })),
  );
}

/**
 * Where the only file of a job will go, before there is the job. Undefined if only the service knows the name of the file:
 * `filename` is then undefined too, and the path no file.
 */
export async function expectedDestination(
  filename: string | undefined,
  { path, workingDirectory, inputs = [] }: DestinationOptions,
): Promise<string | undefined> {
  const target = targetOf(path, workingDirectory);
  if (path !== undefined && !(await isFolder(target))) return target;
  return filename && besideInputs(join(target, safeName(filename)), inputs);
}

/** Keeps a slash at the end, which makes it a folder. */
function targetOf(path: string | undefined, workingDirectory: string): string {
  return isAbsolute(path ?? '') ? (path ?? '') : join(workingDirectory, path ?? '');
}

/** The path, with the suffix `-output` if it is the file of an input. */
async function besideInputs(path: string, inputs: readonly string[]): Promise<string> {
  const id = await fileId(path);
  if (id === undefined) return path;
  const inputIds = await Promise.all(inputs.map(fileId));
  const { dir, name, ext } = parse(path);
  return inputIds.includes(id) ? join(dir, `${name}-output${ext}`) : path;
}

/** The same for each path of a file; undefined if there is none. */
function fileId(path: string): Promise<string | undefined> {
  return stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev}-${ino}`,
    () => undefined,
  );
}

function noFilesError({ jobId, state, filesExpireAt }: JobResource): CliError {
  if (state !== 'completed') return new CliError('conflict', `Job ${jobId} has no files: it is ${state}.`);
  return new CliError('conflict', `The files of job ${jobId} expired at ${filesExpireAt}.`, {
    hint: 'Submit the job again to create them again.',
  });
}

/** Whether a path is an existing folder, or ends with a slash. */
async function isFolder(path: string): Promise<boolean> {
  if (/[/\\]$/.test(path)) return true;
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** The filename of an output, made valid on every file system and without any folder. */
export function safeFilename({ jobId, output_files = {} }: JobResource, output: string): string {
  const { filename = '', file_format = 'bin' } = output_files[output] ?? {};
  return safeName(filename) || `${jobId}-${sanitizeLine(output)}.${sanitizeLine(file_format)}`;
}

function safeName(filename: string): string {
  const lastSegment = sanitizeLine(filename).split(/[/\\]/).at(-1) ?? '';
  return lastSegment
    .replaceAll(/[<>:"|?*]/g, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
    .slice(-150);
}

type LinkedFile = Omit<Destination, 'path'> & { filename: string };

/**
 * The files of a job in which some files reference others by name, as playlists do. They keep the names of the stored
 * objects, so that the references work in any folder; the only file of a named step has the name of the step. Undefined if
 * there are no references.
 */
function findLinkedFiles({ output_files = {} }: JobResource): LinkedFile[] | undefined {
  const files = filesOf(output_files);
  if (files.length === 1 || !files.some(([, { file_format }]) => canReferenceFiles(file_format))) return undefined;
  const linked = files.map(([name, { storage_url: url, file_format: format }]) => ({
    name,
    url,
    filename: distinctNameOf({ key: new URL(url).pathname }),
    ...(canReferenceFiles(format) && { format }),
  }));
  // The names come from the network: accept only plain ones, so that no file is written outside the folder.
  return linked.every(({ filename }) => /^[A-Za-z0-9][\w.-]*$/.test(filename)) ? linked : undefined;
}
