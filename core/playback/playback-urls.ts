import { cueFile, dashFile, hlsFile, referencesSet } from '@media-jobs/video/media';
import type { Playback } from '../api/playback.ts';
import { AppError, invalidRequest } from '../errors.ts';
import { fileUrl } from '../jobs/file-url.ts';
import type { Job, JobIn } from '../jobs/record.ts';
import type { JobRequestRecord } from '../jobs/request-record.ts';
import { availableFiles, endOfFile } from '../jobs/retention.ts';
import { attemptOf, filenameOf, folderOf, type StoredFile } from '../jobs/stored-file.ts';
import { stageProviderId } from '../storage/storage-url.ts';
import { type EdgeKey, edgeToken, type PlaybackRecord } from './edge-store.ts';

/** How the edge delivers. `buckets` are the names of those of the account that it reads. */
export type EdgeSigning = { key: EdgeKey; buckets: readonly string[] };

export type PlaybackRequest = {
  publicUrl: string;
  job: JobIn<'completed'>;
  playable: Playable;
  record: PlaybackRecord;
  now: Date;
  /** In whole seconds. */
  expiresAt: Date;
  /** Undefined: the API delivers. */
  edge?: EdgeSigning | undefined;
};

/** When the URLs of files end: after so many seconds, or with the first of the files. */
export function playbackEnd(
  job: JobIn<'completed'>,
  playable: Playable,
  { now, seconds }: { now: Date; seconds: number },
): Date {
  const ends = Object.values(playable).flatMap((file) => endOfFile(job, file) ?? []);
  const endMs = Math.min(now.getTime() + seconds * 1000, ...ends.map((end) => Date.parse(end)));
  return new Date(Math.floor(endMs / 1000) * 1000);
}

/** The URLs of the files of a playback. Those that the edge cannot read are of the API. */
export function playbackUrls(request: PlaybackRequest): Playback {
  const { publicUrl, expiresAt, playable } = request;
  const main = playable.hls ?? playable.dash ?? playable.mp4;
  const files = Object.entries(playable).map(
    ([role, file]) => [role, edgeUrl(request, file) ?? apiUrl(request, file)] as const,
  );
  return {
    ...Object.fromEntries(files),
    embedUrl: embedUrl(publicUrl, files),
    expiresAt: expiresAt.toISOString(),
    delivery: main !== undefined && edgeUrl(request, main) !== undefined ? 'edge' : 'api',
  };
}

/** The folder and the name of a file whose key needs no encoding in a URL, and has no name that begins with a dot. */
const plainKey = /^((?:[\w-][\w.-]*\/)+)([\w-][\w.-]{0,63})$/;

/** Undefined for a file that the edge does not read, or that shares its folder with other jobs: a token opens a folder. */
function edgeUrl({ publicUrl, job: { jobId }, record, now, expiresAt, edge }: PlaybackRequest, file: StoredFile) {
  if (edge === undefined) return undefined;
  const { storageProviderId, key } = file.storage ?? { key: file.key };
  const bucket = edge.buckets.find((name) => stageProviderId(name) === storageProviderId);
  if (storageProviderId !== undefined && bucket === undefined) return undefined;
  const [, folder, name] = plainKey.exec(key) ?? [];
  if (folder === undefined || !folder.split('/').includes(jobId)) return undefined;
  const revokedMs = record.revokedAt === undefined ? 0 : Date.parse(record.revokedAt);
  const issuedAt = new Date(Math.max(now.getTime(), revokedMs + 1));
  const token = edgeToken(edge.key, { jobId, bucket: bucket ?? '', folder, issuedAt, expiresAt });
  return `${publicUrl}/play/${token}/${bucket === undefined ? '' : `@${bucket}/`}${name}`;
}

function apiUrl({ publicUrl, job, record, expiresAt }: PlaybackRequest, stored: StoredFile): string {
  const [output, file] = [folderOf(stored), filenameOf(stored)];
  const scope = referencesSet(file) ? 'output' : 'file';
  const signed = { ...job, attempt: attemptOf(stored) };
  return fileUrl({ publicUrl, job: signed, output, file, scope, expiresAt, playback: record });
}

/** The player's page, with the paths of the files behind the hash: no server and no log gets them. */
function embedUrl(publicUrl: string, files: readonly (readonly [role: string, url: string])[]): string {
  const paths = files.map(([role, url]) => [role, url.slice(publicUrl.length)]);
  return `${publicUrl}/embed#${new URLSearchParams(Object.fromEntries(paths))}`;
}

/** The files of a job that a viewer gets, by their role in the playback. */
type Playable = Partial<Record<'hls' | 'dash' | 'mp4' | 'poster' | 'sprite', StoredFile>>;

/**
 * The files with which a job is played: a stream, else an MP4; `wanted` names the output, by default the first one. The poster
 * is the first thumbnail of the job, and the sprite its first. A stream is accompanied by an MP4 of the same length.
 *
 * @throws AppError JOB_NOT_COMPLETED, JOB_NOT_PLAYABLE, JOB_FILES_EXPIRED; VALIDATION_ERROR at `output` for an unknown one
 */
export function findPlayable(
  job: Job,
  wanted: string | undefined,
  now: Date,
): { completed: JobIn<'completed'>; playable: Playable } {
  if (job.state !== 'completed')
    throw new AppError('JOB_NOT_COMPLETED', `The job is ${job.state}: only a completed job can be played.`);
  const outputs = outputsOf(job);
  if (wanted !== undefined && !outputs.includes(wanted)) {
    throw invalidRequest([{ path: 'output', message: `Must be an output of the job: ${outputs.join(', ')}` }]);
  }
  const candidates = wanted === undefined ? outputs : [wanted];
  const left = availableFiles(job, now).map(([, file]) => file);
  const playable = select(job.request, left, candidates);
  if (playable !== undefined) return { completed: job, playable };
  if (select(job.request, Object.values(job.files), candidates) !== undefined) {
    throw new AppError('JOB_FILES_EXPIRED', 'The files of the job have expired: submit it again.');
  }
  const subject = wanted === undefined ? 'The job' : `The output ${wanted}`;
  throw new AppError(
    'JOB_NOT_PLAYABLE',
    `${subject} has neither a stream nor an MP4. Use the recipe hls, or format mp4.`,
  );
}

/** The names of all outputs, in the order of the request: those that were skipped or are not delivered too. */
function outputsOf({ request: { outputs, steps = [] }, files }: JobIn<'completed'>): string[] {
  if (outputs !== undefined) return Object.keys(outputs);
  return [...new Set([...Object.values(files).map(folderOf), ...steps.flatMap(({ name }) => name ?? []), 'output'])];
}

function select(
  request: JobRequestRecord,
  files: readonly StoredFile[],
  candidates: readonly string[],
): Playable | undefined {
  const byOutput = Map.groupBy(files, folderOf);
  const filesOf = (output: string) => byOutput.get(output) ?? [];
  const named = (output: string, name: string) => filesOf(output).find((file) => filenameOf(file) === name);
  const isStream = (output: string) => (named(output, hlsFile) ?? named(output, dashFile)) !== undefined;
  const stream = candidates.find(isStream);
  const mp4Of = (output: string) =>
    isStream(output)
      ? undefined
      : filesOf(output)
          .filter(({ file_type, file_format }) => file_type === 'video' && file_format === 'mp4')
          .toSorted((one, other) => (other.height ?? 0) - (one.height ?? 0))[0];
  const everyOutput = [...new Set([...Object.keys(request.outputs ?? {}), ...byOutput.keys()])];
  const find = (choose: (output: string) => StoredFile | undefined) =>
    everyOutput.flatMap((name) => choose(name) ?? [])[0];
  const shared = {
    poster: find((name) => (/^thumbnails?$/.test(recipeOf(request, name)?.name ?? '') ? filesOf(name)[0] : undefined)),
    sprite: find((name) => named(name, cueFile)),
  };
  if (stream === undefined) {
    const mp4 = candidates.flatMap((name) => mp4Of(name) ?? [])[0];
    return mp4 && present({ mp4, ...shared });
  }
  const seconds = Math.max(...filesOf(stream).map(({ duration = 0 }) => duration));
  const lasts = (file: StoredFile | undefined) =>
    Math.abs((file?.duration ?? 0) - seconds) <= Math.max(1, seconds / 100);
  // Whoever may see an encrypted stream gets its key elsewhere.
  const isEncrypted = recipeOf(request, stream)?.encryption !== undefined;
  const mp4 = isEncrypted ? undefined : find((name) => (lasts(mp4Of(name)) ? mp4Of(name) : undefined));
  return present({ hls: named(stream, hlsFile), dash: named(stream, dashFile), mp4, ...shared });
}

function present(files: Record<keyof Playable, StoredFile | undefined> | Playable): Playable {
  return Object.fromEntries(Object.entries(files).filter(([, file]) => file !== undefined));
}

/** The recipe of an output. Steps without a name have the folder `output`, as a job of one recipe has. */
function recipeOf({ outputs, steps, recipe }: JobRequestRecord, output: string) {
  if (outputs !== undefined) return outputs[output]?.recipe;
  return (steps?.find(({ name }) => name === output) ?? steps?.at(-1))?.recipe ?? recipe;
}
