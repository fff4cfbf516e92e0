import { addMs } from './durations.ts';
import type { MediaFiles, RemovalOptions, RemovalResult } from './ports.ts';
import type { Job, JobIn } from './record.ts';
import type { JobRequestRecord } from './request-record.ts';
import { attemptPath, folderOf, foldersOf, placeOf, type StoredFile } from './stored-file.ts';

const dayMs = 24 * 3_600_000;

/**
 * The days from the end of a job for which its request keeps the files of an output, which their folder names. null: until
 * the job is deleted. undefined: as long as the stage keeps files.
 */
export function keepDaysOf({ keepDays, output, outputs }: JobRequestRecord, folder: string): number | null | undefined {
  return [outputs?.[folder]?.keepDays, output?.keepDays, keepDays].find((days) => days !== undefined);
}

/** In the bucket, the folder of files that a lifecycle rule removes, and of those that stay until reconcile removes them. */
const [ruled, kept] = ['jobs/', 'kept/'];

/** The key prefix of the finished files of an output. Those for a storage provider only pass through the bucket. */
export function outputPrefix(
  { jobId, attempt, request, destination }: Pick<Job, 'jobId' | 'attempt' | 'request' | 'destination'>,
  folder = 'output',
): string {
  const isKept = placeOf(destination, folder) === undefined && keepDaysOf(request, folder) !== undefined;
  return (isKept ? kept : ruled) + attemptPath({ jobId, attempt });
}

/** Removes all finished files of a job or of an attempt, by the path of their folder, except those under these prefixes. */
export async function removeFinished(
  files: { removeAll: MediaFiles['removeAll'] },
  path: string,
  options: { except?: readonly string[] } & RemovalOptions = {},
): Promise<RemovalResult> {
  for (const root of [ruled, kept]) {
    const result = await files.removeAll(root + path, options);
    if (result === 'incomplete') return result;
  }
  return 'complete';
}

/**
 * The end of the files of a job that ends `now`, if its request states none. S3 counts from each upload and removes files at
 * the midnight (UTC) that follows: those of a job that runs over midnight may go at the earlier one.
 */
export function ruledEnd({ startedAt }: JobIn<'processing'>, now: Date, retentionMs: number): string {
  const midnight = Math.ceil(Date.parse(startedAt) / dayMs) * dayMs;
  return addMs(new Date(Math.min(now.getTime(), midnight)), retentionMs);
}

type Ends = Pick<JobIn<'completed'>, 'files' | 'filesExpireAt' | 'removeAt'>;

/**
 * When the files of a job end that is completed `now`.
 * @param result its files, and the end of those that stay as long as the stage keeps files
 */
export function withEnds(
  request: JobRequestRecord,
  { files, filesExpireAt: ruledEnd }: { files: Record<string, StoredFile>; filesExpireAt: string },
  now: Date,
): Ends {
  const endOf = (file: StoredFile) => {
    const days = keepDaysOf(request, folderOf(file));
    if (days === undefined) return ruledEnd;
    return days === null ? null : addMs(now, days * dayMs);
  };
  const ends = Object.values(files).map(endOf);
  const filesExpireAt = ends.includes(null) ? null : (ends.toSorted().at(-1) ?? ruledEnd);
  const dated = Object.entries(files).map(([name, file]) => {
    const endsAt = endOf(file);
    return [name, endsAt === filesExpireAt ? file : { ...file, endsAt }] as const;
  });
  const ended = { files: Object.fromEntries(dated), filesExpireAt };
  return { ...ended, removeAt: nextRemoval(ended, now) };
}

/** When a file ends; null: with its job. */
export function endOfFile({ filesExpireAt }: Pick<Ends, 'filesExpireAt'>, { endsAt }: StoredFile): string | null {
  return endsAt === undefined ? filesExpireAt : endsAt;
}

/** The files of a job that have not ended, by their names. */
export function availableFiles(job: Job, now: Date): [string, StoredFile][] {
  if (job.state !== 'completed') return [];
  return Object.entries(job.files).filter(([, file]) => !hasEnded(job, file, now));
}

/** The folders of the files under `kept/` that have ended. */
export function endedPrefixes(job: Ends, now: Date): string[] {
  return foldersOf(keptFiles(job).filter((file) => hasEnded(job, file, now)));
}

/** When reconcile removes files of a job the next time, after `now`. */
export function nextRemoval(job: Pick<Ends, 'files' | 'filesExpireAt'>, now: Date): string | undefined {
  const ends = keptFiles(job).map((file) => endOfFile(job, file) ?? '');
  return ends.filter((end) => end > now.toISOString()).toSorted()[0];
}

function keptFiles({ files }: Pick<Ends, 'files'>): StoredFile[] {
  return Object.values(files).filter(({ key, storage }) => storage === undefined && key.startsWith(kept));
}

function hasEnded(job: Pick<Ends, 'filesExpireAt'>, file: StoredFile, now: Date): boolean {
  const end = endOfFile(job, file);
  return end !== null && end <= now.toISOString();
}
