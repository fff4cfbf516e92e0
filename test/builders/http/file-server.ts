import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { parseByteRange } from '../../../core/net/byte-range.ts';

/** Serves the files of a directory, whole and by ranges, to players of any origin. */
export function aFileServer(directory: string): Promise<WebServer> {
  return aWebServer(async ({ path, headers: { range: requested } }, response) => {
    const [name = ''] = path.slice(1).split('?');
    const file = await readFile(join(directory, name)).catch(() => undefined);
    response.setHeader('access-control-allow-origin', '*');
    if (file === undefined) return response.writeHead(404).end();
    const range = parseByteRange(requested, file.length);
    if (range === undefined || range === 'unsatisfiable') return response.writeHead(200).end(file);
    const { start, end } = range;
    response.writeHead(206, { 'content-range': `bytes ${start}-${end - 1}/${file.length}` });
    return response.end(file.subarray(start, end));
  });
}
