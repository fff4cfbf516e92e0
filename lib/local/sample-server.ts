import { createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Log } from '@media-jobs/local-stage';
import { closeServer, isLoopbackOrigin, serveOnLoopback } from '@media-jobs/local-stage/http';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { makeClip } from './sample-clip.ts';

/** A sample clip, and a webhook receiver that logs every webhook. */
export type Sample = { clipUrl: string; webhookUrl: string; stop(): Promise<void> };

/** @param clipPath where the clip is stored; generated if it does not exist */
export async function startSample(clipPath: string, log: Log): Promise<Sample> {
  await access(clipPath).catch(() => makeClip({ ...findFfmpeg(process.env), path: clipPath, seconds: 5 }));
  const server = createServer((request, response) => {
    const handled =
      request.method === 'POST' ? receiveWebhook(request, response, log) : sendClip(clipPath, response);
    handled.catch(() => response.destroy());
  });
  const url = `http://127.0.0.1:${await serveOnLoopback(server, { pages: isLoopbackOrigin })}`;
  return { clipUrl: `${url}/sample.mp4`, webhookUrl: `${url}/webhook`, stop: () => closeServer(server) };
}

async function receiveWebhook(request: IncomingMessage, response: ServerResponse, log: Log): Promise<void> {
  const { data } = JSON.parse(await text(request)) as { data?: { jobId?: string; state?: string } };
  log('webhook received', `${request.headers['webhook-id']}: job ${data?.jobId} is ${data?.state}`);
  response.writeHead(204).end();
}

async function sendClip(path: string, response: ServerResponse): Promise<void> {
  const { size } = await stat(path);
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': size });
  createReadStream(path).pipe(response);
}
