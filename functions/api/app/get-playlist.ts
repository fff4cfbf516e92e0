import type { getPlaylistContract } from '../../../core/api/playlists.ts';
import { AppError } from '../../../core/errors.ts';
import type { PlaylistFiles } from '../../../core/jobs/ports.ts';
import { playlistKey, playlistUrl } from '../../../core/jobs/stored-file.ts';
import { formats } from '../../../core/media/formats.ts';
import {
  canReferenceFiles,
  eachReference,
  findReferences,
  replaceReferences,
} from '../../../core/media/playlists/references.ts';
import { assertSetReferences, referencingFilePattern } from '../../../core/media/playlists/set-files.ts';
import type { PublicRouteApp } from '../../runtime/http/route.ts';
import { expiryOf } from './signature-expiry.ts';

export type GetPlaylistDeps = { files: PlaylistFiles; publicUrl: string };

/**
 * Reads a playlist with the caller's signature and signs the files that it references until the same expiry. It signs
 * nothing if the playlist names anything but files of its set, or more than a set has.
 */
export function getPlaylist({
  files,
  publicUrl,
}: GetPlaylistDeps): PublicRouteApp<typeof getPlaylistContract> {
  return async ({ params, query }) => {
    const key = playlistKey(params);
    const format = formatOf(params.file);
    if (!canReferenceFiles(format)) throw new AppError('NOT_FOUND', 'There is no such playlist.');
    const text = await files.read({ key, signature: query });
    assertSetReferences(params.file, eachReference(text, format));
    const expiresAt = expiryOf(query);
    const urlOf = async (name: string) => {
      const fileKey = playlistKey({ ...params, file: name });
      const signedUrl = await files.sign(fileKey, expiresAt);
      return referencingFilePattern.test(name)
        ? playlistUrl({ publicUrl, key: fileKey, signedUrl })
        : signedUrl;
    };
    const names = findReferences(text, format);
    const urls = new Map(await Promise.all(names.map(async (name) => [name, await urlOf(name)] as const)));
    const headers = { 'content-type': formats[format].mimeType };
    return { status: 200, headers, body: replaceReferences(text, format, urls) };
  };
}

function formatOf(file: string): string {
  return file.split('.').at(-1) ?? '';
}
