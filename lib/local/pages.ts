import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Script } from 'node:vm';
import type { GatewayResponse } from '@media-jobs/local-stage/http';
import type { IdentityProvider } from '@media-jobs/local-stage/identity';
import { dashboardClient } from '@media-jobs/local-stage/identity';
import { contentSecurityPolicy } from '../../core/access/content-security-policy.ts';
import type { DashboardConfig } from '../../core/access/dashboard-config.ts';
import { root } from '../build/paths.ts';

export type DashboardOptions = {
  /** Folder of the built dashboard. */
  directory: string;
  identity: IdentityProvider;
  s3Endpoint: string;
};

/** The answer to a path of the dashboard; undefined for any other path. */
export type Dashboard = (method: string, path: string) => GatewayResponse | undefined;

/** Serves the dashboard with the configuration of this stage. */
export function serveDashboard({ directory, identity, s3Endpoint }: DashboardOptions): Promise<Dashboard> {
  const { issuer, audience, origin } = identity;
  return servePages({
    directory,
    config: {
      stage: 'local',
      issuer,
      metadataUrl: `${origin}/.well-known/openid-configuration`,
      clientId: dashboardClient.id,
      scope: dashboardClient.scope,
      resource: audience,
    },
    contentSecurityPolicy: contentSecurityPolicy({
      identity: [origin],
      media: new URL(s3Endpoint).origin,
      inputSchemes: ['https:', 'http:'],
    }),
  });
}

export type PagesOptions = { directory: string; config: DashboardConfig; contentSecurityPolicy: string };

/** The rewriting of CloudFront's function. */
const rewriting = `${readFileSync(join(root, 'lib/edge/pages.js'), 'utf8')}; pageFile`;
const pageFile = new Script(rewriting).runInNewContext() as (path: string) => string;

const noSniff = { 'x-content-type-options': 'nosniff' };

const redirectToApp: GatewayResponse = { status: 302, headers: { location: '/app' }, body: Buffer.alloc(0) };

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** Serves the built dashboard at /app as CloudFront does: the same path rewriting, the same headers. */
export async function servePages({
  directory,
  config,
  contentSecurityPolicy: policy,
}: PagesOptions): Promise<Dashboard> {
  const files = await readFiles(directory);
  files.set('/app/config.json', Buffer.from(JSON.stringify(config)));
  return (method, path) => {
    if (path === '/' && (method === 'GET' || method === 'HEAD')) return redirectToApp;
    if (path !== '/app' && !path.startsWith('/app/')) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return textResponse(405, 'Method not allowed');
    const file = pageFile(path);
    const body = files.get(file);
    if (body === undefined) return textResponse(404, 'Not found');
    const headers = {
      'content-type': contentTypes[extname(file)] ?? 'application/octet-stream',
      // Asset names contain a hash of the content.
      'cache-control': file.startsWith('/app/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-security-policy': policy,
      ...noSniff,
      'referrer-policy': 'no-referrer',
    };
    return { status: 200, headers, body };
  };
}

async function readFiles(directory: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const contents = paths.map(async (path) => [`/app${path.slice(directory.length)}`, await readFile(path)] as const);
  return new Map(await Promise.all(contents));
}

function textResponse(status: number, message: string): GatewayResponse {
  return { status, headers: { 'content-type': 'text/plain', ...noSniff }, body: Buffer.from(message) };
}
