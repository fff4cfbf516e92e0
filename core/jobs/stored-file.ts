import { fileRecordSchema } from '@media-jobs/video/media';
import * as z from 'zod';
import { objectOptions } from '../storage/object-options.ts';
import { timestampSchema } from '../timestamp.ts';

/** A finished file in the job's record: what was measured, and its key in the media bucket. */
export const storedFileSchema = fileRecordSchema.extend({
  /** At a storage provider the file is elsewhere, and only the path at the end of this key is used. */
  key: z.string(),
  /** Where the file is, if it is not in the media bucket. `prefix` is that of the provider when the file was written. */
  storage: z.object({ storageProviderId: z.string(), key: z.string(), prefix: z.string().optional() }).optional(),
  /** When it ends, if not with the last files of its job; null: with the job. */
  endsAt: timestampSchema.nullable().optional(),
});

export type StoredFile = z.infer<typeof storedFileSchema>;

type Keyed = Pick<StoredFile, 'key'>;

/** The path of all finished files of one attempt, below the folders of `retention.ts`. */
export function attemptPath({ jobId, attempt }: { jobId: string; attempt: number }): string {
  return `${jobPath(jobId)}${attempt}/`;
}

/** The path of all finished files of a job. */
export function jobPath(jobId: string): string {
  return `${jobId}/`;
}

/** Whether a job has stored a file under one of its own keys, in any folder of the bucket: `jobs/<jobId>/…`. */
export function isFileOf({ jobId }: { jobId: string }, { key }: Keyed): boolean {
  return key.split('/')[1] === jobId;
}

/** The key prefixes of the folders of files, each once. */
export function foldersOf(files: readonly Keyed[]): string[] {
  return [...new Set(files.map(({ key }) => key.slice(0, key.lastIndexOf('/') + 1)))];
}

/** The attempt that has stored a file of a job: `jobs/<jobId>/<attempt>/…`. */
export function attemptOf({ key }: Keyed): number {
  return Number(key.split('/')[2]);
}

/** The key of a planned file: the files of one output of the job, such as a stream, lie in one folder. */
export function fileKey(
  prefix: string,
  { folder = 'output', filename }: { folder?: string | undefined; filename: string },
): string {
  return `${prefix}${folder}/${filename}`;
}

/** The folder and the name of a stored file: the last segments of its key. */
export function filePathOf({ key }: Keyed): string {
  return key.split('/').slice(-2).join('/');
}

export function folderOf(file: Keyed): string {
  return filePathOf(file).split('/')[0] ?? '';
}

/** The file name of a stored file: the last segment of its key. */
export function filenameOf({ key }: Keyed): string {
  return key.split('/').at(-1) ?? '';
}

/** The file name of a stored file among all files of its job: a single file has the name of its output. */
export function distinctNameOf(file: Keyed): string {
  return filenameOf(file).replace(/^output(?=\.)/, () => folderOf(file));
}

/** The exact size of a stored file. */
export function sizeBytesOf({ size_mbytes }: Pick<StoredFile, 'size_mbytes'>): number {
  return Math.round(size_mbytes * 1_000_000);
}

const placeSchema = z.object({
  storageProviderId: z.string(),
  keyTemplate: z.string(),
  ...objectOptions,
  /** Each byte that is sent there is billed to the stage as transfer to the internet. */
  isOutsideAws: z.literal(true).optional(),
});

/** The storage provider that receives files, and the template of their keys. */
export type Place = z.infer<typeof placeSchema>;

/**
 * Where the files of a job go, fixed when it is created. Without it they go to the stage's bucket. In a job of several outputs
 * each has a place of its own; those without one go to the stage's bucket. The job itself has that of the first.
 */
export const destinationSchema = placeSchema.extend({ ofOutputs: z.record(z.string(), placeSchema).optional() });

export type Destination = z.infer<typeof destinationSchema>;

/** The place of the files of an output; undefined for the stage's bucket. */
export function placeOf(destination: Destination | undefined, output: string): Place | undefined {
  const { ofOutputs } = destination ?? {};
  if (ofOutputs === undefined) return destination;
  return Object.hasOwn(ofOutputs, output) ? ofOutputs[output] : undefined;
}

export function providersOf(destination: Destination | undefined): string[] {
  const places = destination === undefined ? [] : Object.values(destination.ofOutputs ?? { all: destination });
  return [...new Set(places.map(({ storageProviderId }) => storageProviderId))];
}

export const storedFilesToRemoveSchema = z.object({
  /** The metadata of the objects has this mark. An object without it was replaced by another job or program, and stays. */
  mark: z.string(),
  keys: z.array(z.string()),
  /** Those at other providers than that of the destination. */
  others: z.array(z.object({ storageProviderId: z.string(), key: z.string() })).optional(),
});

/** Files at a storage provider that are removed with their job. */
export type StoredFilesToRemove = z.infer<typeof storedFilesToRemoveSchema>;
