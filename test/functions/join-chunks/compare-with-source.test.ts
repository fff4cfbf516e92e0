// @module-tag chunks
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { aWebServer } from '@media-jobs/testing/web-server';
import type { ChunkPlan } from '@media-jobs/video/chunking';
import { anEncoder, generatedFile, retagged } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { systemClock } from '../../../adapters/system/clock.ts';
import { compareWithSource } from '../../../functions/join-chunks/compare-with-source.ts';
import { aProcessingJob } from '../../builders/jobs/jobs.ts';
import { workerPorts } from '../../builders/jobs/worker-ports.ts';

const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=4:duration=1'];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

const sourceFile = () => generatedFile('joined-source.mkv', [...pattern, ...h264, '-crf', '4']);

/** Serves every object as this file. */
async function proxyTo(path: string) {
  const content = await readFile(path);
  const { origin } = await aWebServer((_, response) => response.end(content));
  return {
    urlOf: (name: string) => `${origin}/${name}`,
    readAt: () => Promise.reject(new Error('ffmpeg reads by the URL')),
    failure: () => undefined,
    signal: new AbortController().signal,
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Compares a joined file of a plan with its source. */
async function measured(plan: Partial<ChunkPlan['work']>, source: Promise<string> = sourceFile()) {
  const joined = await generatedFile('joined.mp4', [...pattern, ...h264, '-crf', '40']);
  const encoder = anEncoder();
  const work = {
    source: await encoder.probe(await source),
    encoding: { transform: { scale: { width: 320, height: 180 } } },
    outputs: [{ filename: basename(joined) }],
    result: { inputSizeBytes: 1, measurements: { crf: 40 } },
    ...plan,
  };
  const ports = {
    ...workerPorts({ media: encoder, clock: systemClock }),
    openRangeProxy: async () => proxyTo(await source),
  };
  return compareWithSource(
    ports,
    {
      plan: { work, sources: [{ key: 'source', etag: '1' }] } as Partial<ChunkPlan> as ChunkPlan,
      directory: dirname(joined),
    },
    {
      watch: { job: aProcessingJob() },
      signal: new AbortController().signal,
      deadline: new Date(Date.now() + 120_000),
    },
  );
}

it('a joined file is scored against the source in the bucket, if its plan asks for it', async () => {
  const measurements = await measured({ comparesWithSource: true });
  expect(measurements).toEqual({ crf: 40, vmaf: expect.any(Number), vmafP5: expect.any(Number) });
  expect(measurements?.vmaf).toBeLessThan(95);
});

it('so is that of a source with a reserved color matrix', async () => {
  const source = sourceFile().then((path) => retagged(path, 'h264_metadata', 'matrix_coefficients=3'));
  const measurements = await measured({ comparesWithSource: true }, source);
  expect(measurements?.vmaf).toBeGreaterThan(0);
});

it('any other joined file keeps the measurements of its plan', async () => {
  expect(await measured({})).toEqual({ crf: 40 });
});
