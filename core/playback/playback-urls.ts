import { referencesSet } from '@media-jobs/video/media';
import type { Playback } from '../api/playback.ts';
import { fileUrl } from '../jobs/file-url.ts';
import type { JobIn } from '../jobs/record.ts';
import { endOfFile } from '../jobs/retention.ts';
import { attemptOf, filenameOf, folderOf, type StoredFile } from '../jobs/stored-file.ts';
import type { Playable } from './find-playable.ts';
import type { PlaybackRecord } from './playback-record.ts';

export type PlaybackRequest = {
  publicUrl: string;
  job: JobIn<'completed'>;
  playable: Playable;
  record: PlaybackRecord;
  /** In whole seconds. */
  expiresAt: Date;
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

/** The URLs of the files of a playback. */
export function playbackUrls(request: PlaybackRequest): Playback {
  const files = Object.entries(request.playable).map(([part, file]) => [part, playbackUrl(request, file)] as const);
  const { publicUrl, expiresAt } = request;
  return {
    ...Object.fromEntries(files),
    embedUrl: embedUrl(publicUrl, files),
    expiresAt: expiresAt.toISOString(),
    delivery: 'api',
  };
}

function playbackUrl({ publicUrl, job, record, expiresAt }: PlaybackRequest, stored: StoredFile): string {
  const [output, file] = [folderOf(stored), filenameOf(stored)];
  const scope = referencesSet(file) ? 'output' : 'file';
  return fileUrl({
    publicUrl,
    job: { ...job, attempt: attemptOf(stored) },
    output,
    file,
    scope,
    expiresAt,
    playback: record,
  });
}

/** The player's page, with the paths of the files behind the hash: no server and no log gets them. */
function embedUrl(publicUrl: string, files: readonly (readonly [part: string, url: string])[]): string {
  const paths = files.map(([part, url]) => [part, url.slice(publicUrl.length)]);
  return `${publicUrl}/embed#${new URLSearchParams(Object.fromEntries(paths))}`;
}
