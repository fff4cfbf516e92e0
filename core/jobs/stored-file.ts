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
export const jobPath = (jobId: string): string => `${jobId}/`;

/** Whether a job has stored a file under one of its own keys, in any folder of the bucket: `jobs/<jobId>/…`. */
export const isFileOf = ({ jobId }: { jobId: string }, { key }: Keyed): boolean => key.split('/')[1] === jobId;

/** The key prefixes of the folders of files, each once. */
export function foldersOf(files: readonly Keyed[]): string[] {
  return [...new Set(files.map(({ key }) => key.slice(0, key.lastIndexOf('/') + 1)))];
}

/** The attempt that has stored a file of a job: `jobs/<jobId>/<attempt>/…`. */
export const attemptOf = ({ key }: Keyed): number => Number(key.split('/')[2]);

/** The key of a planned file: the files of one output of the job, such as a stream, lie in one folder. */
export function fileKey(
  prefix: string,
  { folder = 'output', filename }: { folder?: string | undefined; filename: string },
): string {
  return `${prefix}${folder}/${filename}`;
}

/** The folder and the name of a stored file: the last segments of its key. */
export const filePathOf = ({ key }: Keyed): string => key.split('/').slice(-2).join('/');

export const folderOf = (file: Keyed): string => filePathOf(file).split('/')[0] ?? '';

/** The file name of a stored file: the last segment of its key. */
export const filenameOf = ({ key }: Keyed): string => key.split('/').at(-1) ?? '';

/** The file name of a stored file among all files of its job: a single file has the name of its output. */
export const distinctNameOf = (file: Keyed): string => filenameOf(file).replace(/^output(?=\.)/, () => folderOf(file));

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

/** Key for the copy of a source whose server serves no ranges. */
export const sourceCopyKey = (jobId: string): string => `${workPrefix(jobId)}source`;

/** Prefix for the output of a completed step of a pipeline. Each time a step is completed has an id of its own. */
export const stepPrefix = (jobId: string, id: string): string => `${workPrefix(jobId)}steps/${id}/`;

/** Name of a source, by its number from 0, at the range proxy and in the bucket. */
export const sourceName = (number: number): string => `source-${number}`;

/** Keys of one chunked encoding. An attempt at the same encoding has the same hash and finds the finished chunks. */
export function workKeys(jobId: string, hash: string) {
  const prefix = `${workPrefix(jobId)}${hash}/`;
  return {
    plan: `${prefix}plan.json`,
    source: (number: number) => prefix + sourceName(number),
    overlay: `${prefix}overlay`,
  };
}

export type ChunkKeys = {
  fileKey(runId: string, file: number): string;
  /** Prefix of the encoded files of a run. */
  runPrefix(runId: string): string;
  resultKey: string;
  failureKey: string;
};

/**
 * Keys that a chunk task writes beside its plan: its files and then its result, or why its encoding failed. A task may run
 * more than once. Each run has files of its own, and the result names the run.
 */
export function chunkKeys(planKey: string, chunk: number): ChunkKeys {
  const prefix = `${planKey.slice(0, planKey.lastIndexOf('/') + 1)}${chunk}`;
  const runPrefix = (runId: string) => `${prefix}-${runId}-`;
  return {
    fileKey: (runId, file) => `${runPrefix(runId)}${file}`,
    runPrefix,
    resultKey: `${prefix}.json`,
    failureKey: `${prefix}.failure.json`,
  };
}

/** Prefix in the media bucket of everything that a job needs only until it has ended. */
export const workPrefix = (jobId: string): string => `work/${jobId}/`;
