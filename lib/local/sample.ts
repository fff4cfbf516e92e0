import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Log } from '@media-jobs/local-stage';
import type { GatewayResponse, PageHandler } from '@media-jobs/local-stage/http';
import { findFfmpeg } from '@media-jobs/video/local-programs';

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

export type ClipOptions = {
  ffmpeg: string;
  /** Output path, an mp4 file. */
  path: string;
  seconds: number;
};

/** Generates a clip with audio: 1280x720, 25 fps, H.264 and AAC. The quality is high, so that compression has an effect. */
export async function makeClip({ ffmpeg, path, seconds }: ClipOptions): Promise<void> {
  const videoInput = ['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=25:duration=${seconds}`];
  const audioInput = ['-f', 'lavfi', '-i', `sine=frequency=440:beep_factor=4:sample_rate=48000:duration=${seconds}`];
  const videoCodec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '14', '-pix_fmt', 'yuv420p'];
  const audioCodec = ['-c:a', 'aac', '-b:a', '128k'];
  await promisify(execFile)(ffmpeg, [
    ...['-v', 'error', '-nostdin', ...videoInput, ...audioInput],
    ...[...videoCodec, ...audioCodec, '-movflags', '+faststart', '-y', path],
  ]);
}
