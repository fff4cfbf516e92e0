import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { DashboardConfig } from '../../core/access/dashboard-config.ts';
import { dashboardFile } from '../../core/access/dashboard-path.ts';
import type { GatewayResponse } from './gateway-response.ts';

export type PagesOptions = {
  /** Of the built dashboard, which holds `index.html`. */
  directory: string;
  config: DashboardConfig;
  contentSecurityPolicy: string;
};

/** Answers what is under /app, leads there who comes without a path, and leaves everything else. */
export type PageHandler = (method: string, path: string) => GatewayResponse | undefined;

const home: GatewayResponse = { status: 302, headers: { location: '/app' }, body: Buffer.alloc(0) };

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** Serves the built dashboard from /app, as CloudFront does: the same rewriting of paths, the same headers. */
export async function servePages({
  directory,
  config,
  contentSecurityPolicy,
}: PagesOptions): Promise<PageHandler> {
  const files = await readFiles(directory);
  files.set('/app/config.json', Buffer.from(JSON.stringify(config)));
  return (method, path) => {
    if (path === '/' && (method === 'GET' || method === 'HEAD')) return home;
    if (path !== '/app' && !path.startsWith('/app/')) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return textAnswer(405, 'Method not allowed');
    const file = dashboardFile(path);
    const body = files.get(file);
    if (body === undefined) return textAnswer(404, 'Not found');
    const headers = {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      // Files of the build are named by their content.
      'cache-control': file.startsWith('/app/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    };
    return { status: 200, headers, body };
  };
}

async function readFiles(directory: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const read = files.map(
    async (file) => [`/app${file.slice(directory.length)}`, await readFile(file)] as const,
  );
  return new Map(await Promise.all(read));
}

function textAnswer(status: number, message: string): GatewayResponse {
  return { status, headers: { 'content-type': 'text/plain' }, body: Buffer.from(message) };
}
