import { access, readFile } from 'node:fs/promises';
import type { Log } from '@media-jobs/local-stage';
import type { GatewayResponse, PageHandler } from '@media-jobs/local-stage/http';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { makeClip } from './sample-clip.ts';

/** Paths at the stage's own origin. */
export const samplePaths = { clip: '/sample/clip.mp4', webhook: '/sample/webhook' };

/**
 * Serves a sample clip, and a webhook receiver that logs every webhook.
 *
 * @param clipPath where the clip is stored; generated if it does not exist
 */
export async function samplePages(clipPath: string, log: Log): Promise<PageHandler> {
  await access(clipPath).catch(() => makeClip({ ...findFfmpeg(process.env), path: clipPath, seconds: 5 }));
  const clip = await readFile(clipPath);
  return (method, path, body) => {
    if (path === samplePaths.webhook && method === 'POST') return received(body, log);
    if (path === samplePaths.clip && (method === 'GET' || method === 'HEAD')) {
      return { status: 200, headers: { 'content-type': 'video/mp4' }, body: clip };
    }
    return undefined;
  };
}

async function received(body: () => Promise<Buffer>, log: Log): Promise<GatewayResponse> {
  const { data } = JSON.parse((await body()).toString()) as { data?: { jobId?: string; state?: string } };
  log('sample', `received the webhook of job ${data?.jobId}: ${data?.state}`);
  return { status: 204, headers: {}, body: Buffer.alloc(0) };
}
