import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer } from '@media-jobs/testing/web-server';
import { beforeEach, expect, it } from 'vitest';
import { aStubApi } from '../builders/a-stub-api.ts';
import { runCli } from '../builders/run-cli.ts';

const failure = { id: 'raw/a.mp4', jobId: null, code: 'INPUT_NOT_MEDIA', message: 'Not media' };
const usd = { p50: 1.5, p90: 2.25 };
const estimate = { objects: 40_000, sampled: 320, hours: 1_200, usd, seconds: { p50: 7_200, p90: 10_800 } };
const batch = {
  ...{ batchId: 'b-1', state: 'running', total: 3, submitted: 3, completed: 1, failed: 0, usd: 0.5, watch: 'films' },
  ...{ reportUrl: null, createdAt: '2026-11-29T10:00:00.000Z' },
};
const ended = { ...batch, state: 'completed', completed: 2, failed: 1, estimate, endedAt: '2026-11-29T11:00:00.000Z' };
const watch = { name: 'films', state: 'active', lastSweepAt: null, objects: 7, jobs: 6, lagSeconds: 0 };

const storage = await aWebServer((_, response) => response.end(`${JSON.stringify(failure)}\n`));
const api = await aStubApi({
  'POST /api/v1/batches': { status: 202, body: { batchId: 'b-1' } },
  'GET /api/v1/batches': { status: 200, body: { batches: [batch], nextCursor: 'next' } },
  'GET /api/v1/batches/b-1': { status: 200, body: { ...ended, reportUrl: storage.origin } },
  'POST /api/v1/batches/b-1/cancel': { status: 200, body: { ...batch, state: 'cancelled' } },
  'GET /api/v1/watches': { status: 200, body: { watches: [watch] } },
  'POST /api/v1/watches/films/pause': { status: 200, body: { ...watch, state: 'paused' } },
  'POST /api/v1/watches/films/resume': { status: 200, body: watch },
});
beforeEach(() => void api.requests.splice(0));

const run = (...args: string[]) => runCli(args, { baseUrl: api.origin });
const sent = () => JSON.parse(api.requests.find(({ method }) => method === 'POST')?.body ?? '');
const rows = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((row) => row.split(/ {2,}/));

it('batches lists, shows and cancels', async () => {
  const list = await run('batches');
  expect(rows(list.out)[1]?.slice(0, 6)).toEqual(['b-1', 'running', '3', '1', '0', '$0.50']);
  expect(list.err).toContain('batches list --limit 20 --cursor next');
  const shown = await run('batches', 'show', 'b-1');
  expect(rows(shown.out)).toContainEqual(['Failed', '1']);
  expect(rows((await run('batches', 'cancel', 'b-1')).out)).toContainEqual(['State', 'cancelled']);
});

it('batches report prints the failures as they are stored, and with --json as a list', async () => {
  expect((await run('batches', 'report', 'b-1')).out).toBe(`${JSON.stringify(failure)}\n`);
  expect(JSON.parse((await run('--json', 'batches', 'report', 'b-1')).out)).toEqual({ failures: [failure] });
});

it('batches submit takes a URL and a request of a file; one of --preset and --request', async () => {
  const request = { mode: 'recipe', output: { format: 'mp4' }, recipe: { name: 'compress' } };
  const file = path.join(await aTemporaryFolder(), 'job.json');
  await writeFile(file, JSON.stringify(request));
  const url = 'https://example.com/lectures.jsonl';
  const started = await run('batches', 'submit', url, '--request', file, '--max-usd', '50');
  expect(started).toMatchObject({ exitCode: 0, out: 'b-1\n' });
  expect(sent()).toEqual({ manifestUrl: url, request, maxUsd: 50 });
  expect(api.requests[0]?.headers['idempotency-key']).toBe('id-1');
  expect(await run('batches', 'submit', url)).toMatchObject({ exitCode: 2 });
});

it('backfill --estimate shows objects, hours, dollars and time, and makes none', async () => {
  const shown = await run('backfill', 'films', '--estimate', '--max-usd', '5');
  expect(shown.exitCode, shown.err).toBe(0);
  expect(sent()).toEqual({ watch: 'films', maxUsd: 5, estimateOnly: true });
  expect(rows(shown.out)).toEqual([
    ['Objects without a job', '40,000'],
    ['Headers read', '320'],
    ['Media', '1,200 h'],
    [''],
    ['', 'TYPICAL', 'HIGH'],
    ['Price', '$1.50', '$2.25'],
    ['Time', '2 h', '3 h'],
  ]);
  expect(JSON.parse((await run('--json', 'backfill', 'films', '--estimate')).out)).toEqual(estimate);
});

it('backfill starts a batch, and --wait fails if a job of it did', async () => {
  expect(await run('backfill', 'films', '--again', 'raw/a.mp4', '--again', 'raw/b, c.mp4')).toMatchObject({
    ...{ exitCode: 0, out: 'b-1\n' },
    err: expect.stringContaining('batches show b-1 --wait'),
  });
  expect(sent()).toEqual({ watch: 'films', again: ['raw/a.mp4', 'raw/b, c.mp4'] });
  expect(await run('backfill', 'films', '--wait')).toMatchObject({ exitCode: 1 });
});

it('watches lists, shows, pauses and resumes', async () => {
  const row = ['films', 'active', 'not yet', '7', '6', 'none'];
  for (const args of [[], ['show', 'films'], ['resume', 'films']])
    expect(rows((await run('watches', ...args)).out)[1]).toEqual(row);
  expect(rows((await run('watches', 'pause', 'films')).out)[1]?.[1]).toBe('paused');
  expect(await run('watches', 'show', 'none')).toMatchObject({ exitCode: 4 });
});
