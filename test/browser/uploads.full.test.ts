// @module-tag storage
import { npmPackages } from '@media-jobs/testing/npm-packages';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBrowser } from '../builders/dashboard/browser.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';

const mebibyte = 1024 ** 2;

let running: RunningStage;
let site: WebServer;
let browser: Browser;
beforeAll(async () => {
  running = await aRunningStage();
  site = await aWebServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'));
  browser = await aBrowser();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await running?.stop();
});

const byClient = `
  import { createMediaJobs } from '@media-jobs/client';
  globalThis.send = (file, access) => createMediaJobs(access).uploads.send(file);`;

const uppy = (uploader: string) => `
  import Uppy from '@uppy/core';
  globalThis.send = async (file, { baseUrl, apiKey }) => {
    const uppy = new Uppy();
    ${uploader}
    uppy.addFile({ name: file.name, type: file.type, data: file });
    const { successful, failed } = await uppy.upload();
    if (failed.length > 0) throw new Error(JSON.stringify(failed[0].error));
    return successful[0].response?.uploadURL ?? successful[0].uploadURL;
  };`;

/** Uppy 5 sends the parts to the URLs of the API. */
const byUppy5 = `
  import AwsS3 from '@uppy/aws-s3';
  ${uppy(`
    const call = async (method, path, body) => {
      const headers = { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) };
      const answer = await fetch(baseUrl + '/api/v1/uploads' + path, { method, headers, body: body && JSON.stringify(body) });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.status === 204 ? undefined : answer.json();
    };
    uppy.use(AwsS3, {
      shouldUseMultipart: true,
      getChunkSize: ({ size }) => Math.max(5, Math.ceil(size / 200 / 1024 ** 2)) * 1024 ** 2,
      async createMultipartUpload({ name, size }) {
        const { uploadId, inputUrl } = await call('POST', '', { sizeBytes: size, filename: name, multipart: true });
        return { uploadId, key: inputUrl };
      },
      async signPart(_, { uploadId, partNumber }) {
        const { partUrls } = await call('POST', '/' + uploadId + '/parts', { partNumbers: [partNumber] });
        return { url: partUrls[0] };
      },
      async listParts(_, { uploadId }) {
        const { parts } = await call('GET', '/' + uploadId + '/parts');
        return parts.map(({ partNumber, sizeBytes, etag }) => ({ PartNumber: partNumber, Size: sizeBytes, ETag: etag }));
      },
      async completeMultipartUpload(_, { uploadId, key, parts }) {
        const sent = parts.map(({ PartNumber, ETag }) => ({ partNumber: PartNumber, etag: ETag }));
        await call('POST', '/' + uploadId + '/complete', { parts: sent });
        return { location: key };
      },
      abortMultipartUpload: (_, { uploadId }) => call('DELETE', '/' + uploadId),
    });`)}`;

/** The AwsS3 of Uppy 6 signs requests to S3 itself, so the client of the service is its uploader. */
const byUppy6 = `
  import { createMediaJobs } from '@media-jobs/client';
  ${uppy(`
    uppy.addUploader(async (ids) => {
      for (const file of ids.map((id) => uppy.getFile(id))) {
        const uploadURL = await createMediaJobs({ baseUrl, apiKey }).uploads.send(file.data);
        uppy.emit('upload-success', file, { status: 200, uploadURL });
      }
    });`)}`;

type Breaks = 'before' | 'after';

/** A page of another origin that sends a file of three parts. The connection of the second part breaks once. */
async function sendBy(code: string, packages: Record<string, string>, breaks: Breaks) {
  const names = Object.entries(packages).map(([name, version]) => `${name.replace('/', '-')}-${version}`);
  const resolveDir = names.length === 0 ? process.cwd() : await npmPackages(names.join('-'), packages);
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir },
    alias: { '@media-jobs/client': `${process.cwd()}/packages/client/src/index.ts` },
    bundle: true,
    format: 'iife',
    write: false,
  });
  const page = await browser.newPage();
  const puts: Record<string, number> = {};
  const apiHeaders = new Set<string>();
  await breakPart(page, puts, breaks);
  page.on('request', (request) => {
    if (request.url().startsWith(running.stage.baseUrl))
      for (const name of Object.keys(request.headers())) apiHeaders.add(name);
  });
  await page.goto(site.origin);
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  const access = { baseUrl: running.stage.baseUrl, apiKey: running.apiKey };
  const file = `new File([new Uint8Array(${12 * mebibyte})], 'film.mp4', { type: 'video/mp4', lastModified: 1 })`;
  const inputUrl = await page.evaluate<string>(`send(${file}, ${JSON.stringify(access)})`);
  await page.close();
  return { inputUrl, puts, apiHeaders };
}

/** Breaks the second part once, before the storage has it or after. Counts the PUTs of each part. */
async function breakPart(page: Page, puts: Record<string, number>, breaks: Breaks): Promise<void> {
  await page.route(/partNumber=/, async (route) => {
    const request = route.request();
    if (request.method() !== 'PUT') return route.continue();
    const part = new URL(request.url()).searchParams.get('partNumber') ?? '';
    puts[part] = (puts[part] ?? 0) + 1;
    if (part !== '2' || puts[part] > 1) return route.continue();
    if (breaks === 'after') await route.fetch();
    return route.abort('connectionreset');
  });
}

describe.each([
  ['the client', byClient, {}],
  ['Uppy 5', byUppy5, { '@uppy/core': '5.2.0', '@uppy/aws-s3': '5.1.0' }],
  ['Uppy 6', byUppy6, { '@uppy/core': '6.3.1' }],
] as [string, string, Record<string, string>][])('%s', (name, code, packages) => {
  it('sends at most one part twice when a connection breaks', async () => {
    const { inputUrl, puts, apiHeaders } = await sendBy(code, packages, 'before');
    expect(inputUrl).toMatch(/^upload:\/\//);
    expect(puts).toEqual({ 1: 1, 2: 2, 3: 1 });
    for (const header of ['idempotency-key', 'if-none-match']) expect(apiHeaders).not.toContain(header);
  });

  it.runIf(name !== 'Uppy 5')('sends no part twice that has arrived without an answer', async () => {
    const { inputUrl, puts } = await sendBy(code, packages, 'after');
    expect([inputUrl.slice(0, 9), puts]).toEqual(['upload://', { 1: 1, 2: 1, 3: 1 }]);
  });
});
