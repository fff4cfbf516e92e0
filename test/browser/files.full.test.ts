// @module-tag nightly
// @module-tag dashboard
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { aStreamingClip, streamingClip } from '@media-jobs/video/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBrowser } from '../builders/dashboard/browser.ts';
import { anAssemblyWith } from '../builders/stage/assembly-with-settings.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { submitJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';

const require = createRequire(import.meta.url);

/** Its build for a script tag has no entry of its own. */
const mediabunnyFile = join(require.resolve('mediabunny'), '../mediabunny.min.cjs');

describe.each([
  ['a stage without a dashboard origin', {}],
  ['a stage with one', { dashboardOrigin: 'https://app.example' }],
])('from %s, a page of another origin', (_, settings) => {
  let running: RunningStage;
  let customer: WebServer;
  let browser: Browser;
  let page: Page;
  let url: string;
  let size: number;
  beforeAll(async () => {
    const video = await readFile(await aStreamingClip());
    const assemblyDirectory = await anAssemblyWith(settings);
    [running, browser] = await Promise.all([aRunningStage({ assemblyDirectory }), aBrowser()]);
    customer = await aWebServer(({ path }, response) => {
      if (path === '/film.mp4') response.end(video);
      else response.setHeader('content-type', 'text/html').end('<!doctype html>');
    });
    const { jobId } = await submitJob(running.api, {
      input: { url: `${customer.origin}/film.mp4` },
      recipe: { name: 'remux' },
    });
    const { output } = await waitForJobEnd(running.api, jobId);
    url = output?.signedUrl ?? '';
    size = Number((await fetch(url, { method: 'HEAD' })).headers.get('content-length'));
    page = await browser.newPage();
    await page.goto(customer.origin);
  });
  afterAll(async () => {
    await browser?.close();
    await customer?.close();
    await running?.stop();
  });

  /** Evaluates an async function of the URL in the page. */
  const inPage = <T>(body: string): Promise<T> => page.evaluate(`(async (url) => { ${body} })(${JSON.stringify(url)})`);

  it('reads the size, the type and the name of a file by HEAD', async () => {
    const names = ['content-length', 'content-type', 'accept-ranges', 'content-disposition'];
    const headers = await inPage(`
      const { headers } = await fetch(url, { method: 'HEAD' });
      return ${JSON.stringify(names)}.map((name) => headers.get(name));`);
    expect(headers).toEqual([String(size), 'video/mp4', 'bytes', expect.stringContaining('film.mp4')]);
  });

  it('reads a range of a file by fetch, and which one it is', async () => {
    const range = await inPage(`
      const response = await fetch(url, { headers: { range: 'bytes=100-199' } });
      const { byteLength } = await response.arrayBuffer();
      return [response.status, byteLength, response.headers.get('content-range')];`);
    expect(range).toEqual([206, 100, `bytes 100-199/${size}`]);
  });

  // Without a dashboard origin, API Gateway answers the preflight that a browser sends before this header.
  it.runIf('dashboardOrigin' in settings)('continues a file if it is the same', async () => {
    const continued = (etag: string) => `
      const first = await fetch(url, { headers: { range: 'bytes=0-99' } });
      const headers = { range: 'bytes=100-199', 'if-range': ${etag} };
      return [first.status, (await fetch(url, { headers })).status];`;
    expect(await inPage(continued("first.headers.get('etag')"))).toEqual([206, 206]);
    expect(await inPage(continued('\'"another"\''))).toEqual([206, 200]);
  });

  it('reads the tracks of a file with Mediabunny', async () => {
    await page.addScriptTag({ path: mediabunnyFile });
    const [seconds, types] = await inPage<[number, string[]]>(`
      const { Input, UrlSource, ALL_FORMATS } = Mediabunny;
      const input = new Input({ formats: ALL_FORMATS, source: new UrlSource(url) });
      const tracks = await input.getTracks();
      return [await input.computeDuration(), tracks.map(({ type }) => type)];`);
    expect(seconds).toBeCloseTo(streamingClip.seconds, 0);
    expect(types).toEqual(['video', 'audio']);
  });
});
