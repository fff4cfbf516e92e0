// @module-tag dashboard
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBrowser } from '../builders/dashboard/browser.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';

const foreignHost = 'evil.example';

let running: RunningStage;
let site: WebServer;
let browser: Browser;
let page: Page;
const ports: Record<string, string> = {};
beforeAll(async () => {
  running = await aRunningStage();
  const { endpoints, identity, baseUrl } = running.stage;
  const { dynamodb, sqs, s3, sfn } = endpoints;
  for (const [name, url] of Object.entries({
    dynamodb,
    sqs,
    s3,
    sfn,
    identity: identity?.origin,
    api: baseUrl,
  })) {
    ports[name] = new URL(url ?? '').port;
  }
  site = await aWebServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'));
  browser = await aBrowser({ foreignHost });
  page = await browser.newPage();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await running?.stop();
});

/** The status that a server answers to a request of the page, which itself may not see it. */
async function statusOf(url: string, init: object): Promise<number> {
  const answered = page.waitForResponse((response) => response.url() === url);
  await page.evaluate(`fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).catch(() => undefined)`);
  return (await answered).status();
}

const post = { method: 'POST', mode: 'no-cors', body: '{}' };

describe('a page of another site', () => {
  beforeAll(async () => {
    await page.goto(`http://${foreignHost}:${new URL(site.origin).port}/`);
  });

  it.each(['dynamodb', 'sqs', 's3', 'sfn', 'identity'])('gets a 403 for a POST to %s', async (name) => {
    const before = running.stage.calls();
    expect(await statusOf(`http://127.0.0.1:${ports[name]}/`, post)).toBe(403);
    expect(await statusOf(`http://localhost:${ports[name]}/?x=1`, post)).toBe(403);
    for (const service of ['s3', 'sfn'] as const) expect(running.stage.calls()[service]).toEqual(before[service]);
  });

  it.each(['dynamodb', 'sqs', 'sfn'])('gets a 403 for a GET from %s, which has no Origin', async (name) => {
    const url = `http://127.0.0.1:${ports[name]}/000000000000/queue?Action=PurgeQueue`;
    expect(await statusOf(url, { mode: 'no-cors' })).toBe(403);
  });

  it('cannot use or read the sign-in of the identity provider', async () => {
    const url = `http://127.0.0.1:${ports.identity}/.well-known/openid-configuration`;
    expect(await statusOf(url, { ...post, credentials: 'include' })).toBe(403);
    const read = `fetch(${JSON.stringify(url)}).then((response) => response.text(), () => 'nothing')`;
    expect(await page.evaluate(read)).toBe('nothing');
  });
});

it.each(['dynamodb', 'sqs', 's3', 'sfn', 'identity', 'api'])(
  'a page whose host name was rebound to this machine gets a 403 from %s',
  async (name) => {
    const response = await page.goto(`http://${foreignHost}:${ports[name]}/app/`);
    expect(response?.status()).toBe(403);
    // The policy of that page forbids it every request.
    await page.goto(`http://${foreignHost}:${new URL(site.origin).port}/`);
    const url = `http://${foreignHost}:${ports[name]}/api/v1/openapi.json`;
    expect(await statusOf(url, { method: 'GET', mode: 'no-cors' })).toBe(403);
  },
);
