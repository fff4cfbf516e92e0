import type { PublicRouteApp } from '../../adapters/runtime/http/route.ts';
import type { getFileContract } from '../../core/api/files.ts';
import { type OpenFileDeps, openFile } from './open-file.ts';

/** Redirects to a file of a job. A playlist of a set is returned instead, with the query of the request behind each name. */
export function getFile(deps: OpenFileDeps): PublicRouteApp<typeof getFileContract> {
  return async (request) => {
    const opened = await openFile(deps, request);
    if (opened.is === 'playlist') {
      const headers = { 'content-type': opened.mimeType, 'accept-ranges': 'none' };
      return { status: 200, headers, body: opened.text };
    }
    const { storage, key, file } = opened;
    const location = await storage.sign({ key, filename: file.filename, mimeType: file.mime_type });
    return { status: 302, headers: { location } };
  };
}
