// @module-tag jobs
import { readFile } from 'node:fs/promises';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { cliProcess } from '@media-jobs/cli/testing';
import { clientOptions } from '@media-jobs/local-stage/emulators';
import { afterUse } from '@media-jobs/testing/after-use';
import { generatedFile } from '@media-jobs/video/testing';
import { beforeAll, expect, it } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { tokensAfterSignIn } from '../../lib/local/sign-in.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { aWatchedAssembly, watchedBucket as bucket } from '../builders/stage/watched-assembly.ts';

const clips = 40;
let running: RunningStage;
let client: S3Client;
let films: Buffer[];

/** Eight sources of different pictures, sizes and lengths, with sound. */
const sources = [
  ['mandelbrot=size=640x360:rate=25', 6],
  ['mandelbrot=size=1280x720:rate=25', 4],
  ['testsrc2=size=640x360:rate=30', 12],
  ['testsrc2=size=1920x1080:rate=25', 5],
  ['life=size=640x360:rate=25:mold=10:ratio=0.3', 8],
  ['gradients=size=1280x720:rate=25:speed=0.05', 8],
  ['cellauto=size=640x480:rate=25', 5],
  ['mandelbrot=size=854x480:rate=50', 5],
] as const;

beforeAll(async () => {
  const request = { recipe: { name: 'compress', maxWidth: 640 } };
  running = await aRunningStage(await aWatchedAssembly({ name: 'films', extension: 'mp4', request }));
  client = new S3Client({ ...clientOptions(running.stage.endpoints.s3), forcePathStyle: true });
  afterUse(() => client.destroy());
  // Objects of a paused watch wait, as those do that were there before the watch.
  const { identity } = running.stage;
  if (identity === undefined) throw new Error('The stage has an identity provider');
  const { access_token: session = '' } = await tokensAfterSignIn(identity);
  expect(await cli(['watches', 'pause', 'films'], session)).toMatchObject({ exitCode: 0 });
  films = await Promise.all(
    sources.map(([picture, seconds], index) => {
      const input = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', 'sine=frequency=330', '-t', String(seconds)];
      return generatedFile(`backfill-${index}.mp4`, [...input, '-pix_fmt', 'yuv420p', '-crf', '20']).then((file) =>
        readFile(file),
      );
    }),
  );
  for (let index = 0; index < clips; index += 1) await put(`raw/${index}.mp4`, films[index % films.length] ?? '');
}, 300_000);

const put = (Key: string, Body: Buffer | string) => client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }));

function cli(args: string[], credential = running.apiKey) {
  const environment = { MEDIA_JOBS_URL: running.stage.baseUrl, MEDIA_JOBS_KEY: credential };
  return cliProcess(['--json', ...args], { environment, cwd: '/tmp' }).ended;
}

async function backfill(...options: string[]): Promise<Record<string, unknown>> {
  const { exitCode, out, err } = await cli(['backfill', 'films', ...options]);
  return { exitCode, err, ...(JSON.parse(out) as Record<string, unknown>) };
}

async function jobs(): Promise<JobResource[]> {
  const { body } = await running.api('GET', '/api/v1/jobs?metadata.watch=films&limit=100');
  return (body as { jobs: JobResource[] }).jobs;
}

/** Dollars of the jobs by the estimate of each, from what is known of its source. */
async function estimatedOneByOne(): Promise<number> {
  const usd = await Promise.all(
    sources.map(async ([picture, durationSeconds], index) => {
      const [, width, height, framesPerSecond] = /size=(\d+)x(\d+):rate=(\d+)/.exec(picture)?.map(Number) ?? [];
      const media = { width, height, framesPerSecond, durationSeconds, sizeBytes: films[index]?.length };
      const job = { mode: 'preset', preset: 'watched', input: { url: `s3://${bucket}/raw/${index}.mp4` } };
      const { body } = await running.api('POST', '/api/v1/jobs/estimate', { ...job, media });
      return (body as { usd: { p50: number } }).usd.p50;
    }),
  );
  return (usd.reduce((sum, each) => sum + each, 0) * clips) / sources.length;
}

it(`a backfill of ${clips} clips costs what its estimate says, and each has one job`, async () => {
  const estimate = await backfill('--estimate');
  expect(estimate).toMatchObject({ exitCode: 0, objects: clips, sampled: clips });
  expect(await jobs()).toEqual([]);
  const usd = estimate.usd as { p50: number };
  expect(Math.abs(usd.p50 / (await estimatedOneByOne()) - 1)).toBeLessThan(0.1);
  const batch = await backfill('--wait');
  expect(batch).toMatchObject({ exitCode: 0, total: clips, completed: clips, failed: 0, watch: 'films' });
  // The wall time of functions is billed: a busy machine takes longer.
  expect(Number(batch.usd) / usd.p50).toBeGreaterThan(0.5);
  const made = await jobs();
  expect(new Set(made.map(({ request }) => request.input)).size).toBe(clips);
  expect(await backfill('--wait')).toMatchObject({ total: 0 });
}, 600_000);
