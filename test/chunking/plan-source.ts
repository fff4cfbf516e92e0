import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { chunkSettingsSchema, planChunks } from '@media-jobs/video/chunking';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { requireVideo } from '@media-jobs/video/probe';
import { ffmpegEncoder, packetReader } from '@media-jobs/video/runner';
import { sparingSource, startRangeProxy } from '../../adapters/http/range-proxy.ts';
import { urlRangeSource } from '../../adapters/http/url-range-source.ts';
import { requestTimeouts } from '../../adapters/runtime/range-proxies.ts';
import { parseReachableAddresses } from '../../core/net/check-url.ts';

// The builders of tests would count as memory of planning.
const { ffmpeg, ffprobe } = findFfmpeg(process.env);
const programs = { ffmpegPath: ffmpeg, ffprobePath: ffprobe };
const encoding = {
  codec: 'h264',
  quality: { crf: 23 },
  audioBitrateKbps: 128,
  transform: { scale: { width: 320, height: 180 } },
} as const;

/** What a planning process measured of itself. Memory is resident, at its highest. */
export type Planned = {
  frames: number;
  durationSeconds: number | undefined;
  chunks: number | undefined;
  seconds: number;
  maxNodeBytes: number;
  maxFfprobeBytes: number;
};

/** The highest resident memory so far of a process. Linux only. */
function peakBytes(pid: number | string): number {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return 1024 * Number(kilobytes);
}

/** Watches the memory of the processes that this one starts. */
function watchChildren() {
  let maxBytes = 0;
  const timer = setInterval(() => {
    for (const task of readdirSync('/proc/self/task')) {
      const children = readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean);
      for (const child of children) {
        // It may have ended meanwhile.
        try {
          maxBytes = Math.max(maxBytes, peakBytes(child));
        } catch {}
      }
    }
  }, 20);
  return () => {
    clearInterval(timer);
    return maxBytes;
  };
}

/** Plans the video of a URL as `transcode` does, and reports what that took. */
async function planSource(url: string): Promise<Planned> {
  const startedAt = performance.now();
  const stopWatching = watchChildren();
  const [response]: IncomingMessage[] = (await once(get(url), 'response')) as [IncomingMessage];
  const sizeBytes = Number(response?.headers['content-length']);
  const value = response?.headers.etag ?? '';
  response?.destroy();
  const limits = { maxBytes: sizeBytes, ...requestTimeouts };
  const reachable = parseReachableAddresses('127.0.0.1:*');
  const request = { url, reachable, userAgent: 'media-jobs/test', limits };
  const source = sparingSource(urlRangeSource(request, { validator: { header: 'etag', value }, sizeBytes }));
  const { signal } = new AbortController();
  await using proxy = await startRangeProxy({ sources: { source }, token: randomUUID(), signal });
  const path = proxy.urlOf('source');
  const remote = {
    readAt: (offset: number, length: number) => proxy.readAt('source', offset, length),
    sizeBytes,
  };
  const probe = await ffmpegEncoder(programs).probe(path, { remote });
  const video = requireVideo(probe);
  const index = await packetReader(programs).readFrameIndex(
    path,
    { stream: video.index, fileSeconds: 0 },
    { signal, timeLimitSeconds: 300, remote },
  );
  const { chunks } = planChunks([{ probe, video, index, encoding }], {
    settings: chunkSettingsSchema.parse({}),
    speed: 'fast',
    work: { cpuSeconds: 30_000, chunksSeconds: 10_000, expectedSeconds: 10_000 },
    remainingSeconds: 800,
  });
  return {
    frames: index.pts.length,
    durationSeconds: probe.durationSeconds,
    chunks: chunks?.length,
    seconds: (performance.now() - startedAt) / 1000,
    maxNodeBytes: peakBytes('self'),
    maxFfprobeBytes: stopWatching(),
  };
}

const [, , url = ''] = process.argv;
console.log(JSON.stringify(await planSource(url)));
