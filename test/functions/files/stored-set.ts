import { sheetName } from '@media-jobs/video/media';
import { fileUrl, type UrlScope } from '../../../core/jobs/file-url.ts';
import type { StoredFile } from '../../../core/jobs/stored-file.ts';
import { aJobId, start } from '../../builders/jobs/jobs.ts';

/** The content of every file that is no playlist. */
const video = 'the video';

/** Cues that name one sheet each. */
const cues = (sheets: number) =>
  `WEBVTT\n\n${Array.from({ length: sheets }, (_, index) => `${sheetName(index)}.jpg#xywh=0,0,1,1\n`).join('')}`;

/** Playlists, cues and the files that they name. */
export const set: Record<string, string> = {
  'hls.m3u8': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nmedia_0.m3u8\n',
  'media_0.m3u8': '#EXTM3U\n#EXT-X-MAP:URI="stream_0.mp4"\n#EXTINF:2,\nstream_0.mp4\n#EXT-X-ENDLIST\n',
  'dash.mpd': '<MPD><BaseURL>stream_0.mp4</BaseURL></MPD>',
  'stream_0.mp4': video,
  'sprite.vtt': cues(1),
  'sprite-001.jpg': video,
  'log.txt': video,
};

/** Playlists that this service never writes. */
export const foreignSet: Record<string, string> = {
  'media_0.m3u8': `#EXTM3U\n${'#'.repeat(8 * 1024 * 1024)}`,
  'media_1.m3u8': '#EXTM3U\nhttps://elsewhere.example/a.mp4\n',
  'media_2.m3u8': '#EXTM3U\nstream_2.mp4\nstream_3.mp4\n',
  'subtitles_0.m3u8': '#EXTM3U\nsprite.vtt\n',
  'hls.m3u8': '#EXTM3U\nstream_0.mp4\n',
  'dash.mpd': '<MPD><BaseURL>log.json</BaseURL></MPD>',
  'sprite.vtt': cues(51),
};

/** The record of a file of the set. Without `storage` it is in the bucket of the stage. */
export function storedFile(jobId: string, name: string, storage: StoredFile['storage'] | undefined): StoredFile {
  return {
    file_id: name,
    filename: `film ${name}`,
    size_mbytes: Buffer.byteLength(set[name] ?? '') / 1_000_000,
    file_type: 'playlist',
    file_format: name.split('.').at(-1) ?? '',
    mime_type: 'video/mp4',
    key: `jobs/${jobId}/1/output/${name}`,
    ...(storage && { storage }),
  };
}

export const hour = 3_600;

/** The job of `set`. */
export const own = aJobId(1);

type Url = {
  file: string;
  /** By default that of a playlist, which opens all files of the output. */
  scope?: UrlScope;
  jobId?: string | undefined;
  attempt?: number;
  lifetimeSeconds?: number;
};

/** A signed URL of a file. */
export function urlOf(options: Url): string {
  const { file, scope = 'output', jobId = own, attempt = 1, lifetimeSeconds = 24 * hour } = options;
  const job = { ownerId: 'owner-1', jobId: jobId ?? '', attempt, urlSecret: `the secret of ${jobId}` };
  const expiresAt = new Date(start.getTime() + lifetimeSeconds * 1000);
  return fileUrl({ publicUrl: 'https://media.example', job, output: 'output', file, scope, expiresAt });
}

/** The URL with another value of one parameter. */
export function changed(url: string, name: string, value: string): string {
  const result = new URL(url);
  result.searchParams.set(name, value);
  return result.href;
}
