import { referencesSet } from '@media-jobs/video/media';
import type { Playback } from '../api/playback.ts';
import { fileUrl } from '../jobs/file-url.ts';
import type { JobIn } from '../jobs/record.ts';
import { endOfFile } from '../jobs/retention.ts';
import { attemptOf, filenameOf, folderOf, type StoredFile } from '../jobs/stored-file.ts';
import { stageProviderId } from '../storage/storage-url.ts';
import { type EdgeKey, edgeToken } from './edge-store.ts';
import type { Playable } from './find-playable.ts';
import type { PlaybackRecord } from './playback-record.ts';

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
