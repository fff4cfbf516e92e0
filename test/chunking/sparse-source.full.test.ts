// @module-tag chunks
// @module-tag sources
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { ffmpegPrograms } from '@media-jobs/video/testing';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { aRangeServer } from '../builders/http/range-server.ts';
import { aSparseVideo } from '../builders/media/sparse-video.ts';
import type { Planned } from './plan-source.ts';

/** Runs `plan-source.ts` in a process of its own, bundled as a function is: its memory is that of planning alone. */
async function planAt(url: string): Promise<Planned> {
  const script = join(await aTemporaryFolder(), 'plan-source.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('plan-source.ts', import.meta.url))],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  const { ffmpegPath: FFMPEG_PATH, ffprobePath: FFPROBE_PATH } = ffmpegPrograms;
  const child = spawn(process.execPath, ['--max-semi-space-size=1', script, url], {
    env: { ...process.env, FFMPEG_PATH, FFPROBE_PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return JSON.parse(output);
}

it('a video of 60 GB and 8 h on a server 30 ms away is planned from its index', async () => {
  const shape = { frames: 8 * 3600 * 25, framesPerSecond: 25, frameBytes: 83_400, keyframeEvery: 50 };
  const video = await aSparseVideo(shape);
  expect(video.sizeBytes).toBeGreaterThan(60e9);
  const server = await aRangeServer(video);
  server.delayMs = 30;
  const planned = await planAt(server.url);
  const { requests, bytes } = server.traffic();
  console.log({ ...planned, requests, sentBytes: bytes });
  expect(planned).toMatchObject({ frames: shape.frames, durationSeconds: 8 * 3600, chunks: 200 });
  expect(requests).toBeLessThan(60);
  expect(bytes).toBeLessThan(20e6);
  expect(planned.maxNodeBytes).toBeLessThan(200e6);
  expect(planned.maxFfprobeBytes).toBeLessThan(200e6);
});
