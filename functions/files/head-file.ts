import type { PublicRouteApp } from '../../adapters/runtime/http/route.ts';
import type { headFileContract } from '../../core/api/files.ts';
import { sizeBytesOf } from '../../core/jobs/stored-file.ts';
import { attachmentHeader } from '../../core/net/content-disposition.ts';
import { type Download, type OpenFileDeps, openFile } from './open-file.ts';

/** Answers the headers of what a GET of the same URL leads to. */
export function headFile(deps: OpenFileDeps): PublicRouteApp<typeof headFileContract> {
  return async (request) => {
    const opened = await openFile(deps, request);
    const headers: Record<string, string> =
      opened.is === 'playlist' ? headersOfPlaylist(opened.text, opened.mimeType) : headersOfFile(opened.file);
    return { status: 200, headers };
  };
}

function headersOfPlaylist(text: string, mimeType: string) {
  return {
    'content-type': mimeType,
    'content-length': String(Buffer.byteLength(text)),
    'accept-ranges': 'none',
  };
}

function headersOfFile({ filename, mime_type, size_mbytes }: Download): Record<string, string> {
  return {
    'content-type': mime_type,
    'content-disposition': attachmentHeader(filename),
    ...(size_mbytes !== undefined && { 'content-length': String(sizeBytesOf({ size_mbytes })) }),
    'accept-ranges': 'bytes',
  };
}
