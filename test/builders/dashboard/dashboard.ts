import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { afterUse } from '@media-jobs/testing/after-use';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { generatedFile } from '@media-jobs/video/testing';
import type { Browser } from 'playwright-core';
import type { JobResource } from '../../../core/api/job-resource.ts';
import { buildDashboard } from '../../../lib/build/build-dashboard.ts';
import type { LocalStageOptions } from '../../../lib/local/start-stage.ts';
import { aRunningStage, type RunningStage } from '../stage/running-stage.ts';
import { submitJob, waitForJobEnd } from '../stage/submitted-jobs.ts';
import { aBrowser, aVisitor, signIn, type ViewOptions, type Visitor } from './browser.ts';

/**
 * A customer's server. Any path is a video, but `/missing…` is 404 and `/stuck…` never ends. It answers webhooks with
 * `receiver.status`.
 */
type Customer = WebServer & { receiver: { status: number } };

export type Dashboard = {
  running: RunningStage;
  browser: Browser;
  customer: Customer;
  /** A user at a path under /app, not signed in. */
  visitor(path?: string, look?: ViewOptions): Promise<Visitor>;
  /** A signed-in user at a path under /app. */
  user(path?: string, look?: ViewOptions): Promise<Visitor>;
  /** The problems of all their pages: errors, and violations of the Content-Security-Policy. */
  problems(): string[];
  submit(request: { name: string; recipe?: object; format?: string; webhookUrl?: string }): Promise<JobResource>;
  /** Waits until the job has ended. */
  ended(jobId: string): Promise<JobResource>;
  stop(): Promise<void>;
};

/** A clip of 6 s that a browser can play. */
export function aPlayableVideo(): Promise<string> {
  const videoInput = ['-f', 'lavfi', '-i', 'mandelbrot=size=960x540:rate=25:end_scale=0.05', '-t', '6'];
  const audioInput = ['-f', 'lavfi', '-i', 'sine=frequency=330:duration=6'];
  const coding = '-c:v libx264 -preset ultrafast -crf 12 -pix_fmt yuv420p -c:a aac'.split(' ');
  const args = [...videoInput, ...audioInput, ...coding, '-shortest', '-movflags', '+faststart'];
  return generatedFile('film.mp4', args);
}

/** A running stage with its dashboard, a browser, and a customer. Stopped after its use. */
export async function aDashboard(stage: Partial<LocalStageOptions> = {}): Promise<Dashboard> {
  const [dashboardDirectory, video] = await Promise.all([
    buildDashboard(),
    aPlayableVideo().then((path) => readFile(path)),
  ]);
  const [running, browser] = await Promise.all([aRunningStage({ ...stage, dashboardDirectory }), aBrowser()]);
  const customer = await aCustomer(video);
  const { baseUrl } = running.stage;
  const visitors: Visitor[] = [];
  const visit = async (path = '/', look: ViewOptions = {}) => {
    const visitor = await aVisitor(browser, baseUrl, { path, look });
    visitors.push(visitor);
    return visitor;
  };

  return {
    running,
    browser,
    customer,
    visitor: visit,
    async user(path, look) {
      const visitor = await visit(path, look);
      await signIn(visitor);
      return visitor;
    },
    problems: () => visitors.flatMap(({ problems }) => problems),
    submit({ name, format = 'mp4', ...request }) {
      const input = { url: `${customer.origin}/${name}` };
      return submitJob(running.api, { input, output: { format }, ...request });
    },
    ended: (jobId) => waitForJobEnd(running.api, jobId),
    stop: afterUse(async () => {
      await browser.close();
      await customer.close();
      await running.stop();
    }),
  };
}

async function aCustomer(video: Buffer): Promise<Customer> {
  const receiver = { status: 204 };
  const server = await aWebServer(({ method, path, headers }, response) => {
    if (method === 'POST') return void response.writeHead(receiver.status).end('the answer of the receiver');
    if (path.startsWith('/missing')) return void response.writeHead(404).end();
    const requested = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '');
    if (requested && !path.startsWith('/stuck')) return sendRange(response, video, Number(requested[1]), requested[2]);
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': video.length });
    if (path.startsWith('/stuck')) return void response.write(video.subarray(0, video.length / 2));
    response.end(video);
  });
  return { ...server, receiver };
}

/** Answers a range request, as a player sends when it seeks. */
function sendRange(response: ServerResponse, video: Buffer, first: number, end = ''): void {
  const last = end === '' ? video.length - 1 : Math.min(Number(end), video.length - 1);
  const range = `bytes ${first}-${last}/${video.length}`;
  response.writeHead(206, { 'content-type': 'video/mp4', 'content-range': range, 'content-length': last - first + 1 });
  response.end(video.subarray(first, last + 1));
}
