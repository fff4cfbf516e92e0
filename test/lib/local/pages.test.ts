import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Dashboard, servePages } from '../../../lib/local/pages.ts';

let pages: Dashboard;

beforeAll(async () => {
  const directory = await aTemporaryFolder();
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'index.html'), 'the page');
  await writeFile(join(directory, 'assets/main-1a2b.js'), 'the script');
  pages = await servePages({
    directory,
    config: { issuer: 'https://id.example', clientId: 'dashboard', scope: 'openid' },
    contentSecurityPolicy: "default-src 'none'",
  });
});

const get = (path: string) => pages('GET', path);

describe('servePages', () => {
  it.each(['/app', '/app/', '/app/jobs', '/app/jobs/0199c39e'])('the application is served at %s', (path) => {
    expect(String(get(path)?.body)).toBe('the page');
  });

  it('assets are immutable and the page is not cached', () => {
    expect(get('/app/assets/main-1a2b.js')?.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(get('/app/jobs')?.headers['cache-control']).toBe('no-cache');
  });

  it('every response has the content security policy', () => {
    for (const path of ['/app/', '/app/config.json', '/app/assets/main-1a2b.js']) {
      expect(get(path)?.headers['content-security-policy']).toBe("default-src 'none'");
    }
  });

  it('every response with a body has nosniff, errors too', () => {
    const answers = ['/app/', '/app/config.json', '/app/assets/main-1a2b.js', '/app/missing.js'].map(get);
    for (const answer of [...answers, pages('POST', '/app')]) {
      expect(answer?.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('config.json has the identity provider', () => {
    expect(JSON.parse(String(get('/app/config.json')?.body))).toMatchObject({ issuer: 'https://id.example' });
  });

  it('the root redirects to /app, as CloudFront does', () => {
    expect(get('/')).toMatchObject({ status: 302, headers: { location: '/app' } });
    expect(pages('POST', '/')).toBeUndefined();
  });

  it('API paths are not handled', () => {
    expect(get('/api/v1/jobs')).toBeUndefined();
    expect(get('/application')).toBeUndefined();
  });

  it.each(['/app/missing.js', '/app/../package.json', '/app/%2e%2e/package.json'])('%s is not found', (path) => {
    expect(get(path)?.status).toBe(404);
  });

  it('other methods are rejected', () => expect(pages('POST', '/app/')?.status).toBe(405));
});
