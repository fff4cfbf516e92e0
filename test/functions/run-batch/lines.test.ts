import assert from 'node:assert/strict';
import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { expect, it } from 'vitest';
import { createBatch, type LineFailure, maxLineBytes } from '../../../core/batches/batch.ts';
import { AppError } from '../../../core/errors.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { parseLine, splitLines } from '../../../core/submission/manifest-line.ts';
import { runBatch } from '../../../functions/run-batch/app.ts';
import { memoryBatchTable } from '../../../lab/simulation/memory/batch-table.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { aJobId, aRequest, start } from '../../builders/jobs/jobs.ts';

const line = (id: string) => JSON.stringify({ id, input: aRequest.input });
const { input: _, ...request } = aRequest;

/** Takes up to so many steps of a batch whose line `bad` fails with an error; `waits` are the seconds after each step. */
async function takeSteps(steps: number, ids: readonly string[], error: Error) {
  const [batches, clock] = [memoryBatchTable(), aVirtualClock(start)];
  const manifest = Buffer.from(ids.map(line).join('\n'));
  const made: string[] = [];
  const failures: LineFailure[] = [];
  const run = runBatch({
    ...{ batches, clock, jobs: memoryJobTable(), minuteUsd: 0.0024 },
    accept: async ({ idempotencyKey = '', batch }) => {
      const id = idempotencyKey.split('\n')[2] ?? '';
      if (id === 'bad') throw error;
      if (!made.includes(id)) made.push(id);
      const job = { jobId: aJobId(1 + made.indexOf(id)), batch } as JobIn<'queued'>;
      return { job, response: { status: 201, headers: {} } };
    },
    cancel: async () => undefined,
    copyManifest: async () => ({ bytes: manifest.length, lines: ids.length }),
    listObjects: async () => assert.fail('A manifest has no listing'),
    submitListed: async () => assert.fail('A manifest has no listing'),
    readManifest: async (_batch, range) => manifest.subarray(range.start, range.end),
    readLineId: async () => null,
    appendReport: async (_batch, added) => String(failures.push(...added)),
    onUnexpected: () => undefined,
  });
  const principal = { ownerId: 'owner-1', caller: 'session' } as const;
  const batch = createBatch({ ...{ batchId: aJobId(0), createdAt: start, principal, request }, manifestUrl: 'x' });
  await batches.write(batch);
  const waits: number[] = [];
  let next = { ...batch, start: batch.starts, step: 0, waitSeconds: 0 };
  for (let count = 0; count < steps; count += 1) {
    const result = await run(next, new Date(clock.now().getTime() + 45_000));
    if (result.status === 'done') break;
    waits.push(result.waitSeconds);
    clock.pass(1_000 * result.waitSeconds);
    next = { ...next, ...result };
  }
  return { waits, made, failures, batch: await batches.get(batch) };
}

it('a line for which the service fails is in the report after ten tries, and those after it become jobs', async () => {
  const { made, failures, batch } = await takeSteps(20, ['a', 'bad', 'b'], new RangeError('Maximum call stack'));
  expect(failures.filter(({ code }) => code !== 'DELETED')).toEqual([
    { id: 'bad', line: 2, jobId: null, code: 'INTERNAL_ERROR', message: 'The line could not be submitted.' },
  ]);
  expect(made).toEqual(['a', 'b']);
  expect(batch).toMatchObject({ submitted: 2, state: 'completed' });
});

it.each([
  ['AWS fails', Object.assign(new Error('ServiceUnavailable'), { $metadata: { httpStatusCode: 503 } }), 'UNAVAILABLE'],
  ['a cap admits none', new AppError('LIMIT_EXCEEDED', 'The cap is used up.'), 'LIMIT_EXCEEDED'],
])('while %s no line fails, and the steps become as rare as of a batch whose jobs run', async (_name, error, code) => {
  const { waits, failures, batch } = await takeSteps(30, ['bad', 'a'], error);
  expect(failures).toEqual([]);
  expect(batch).toMatchObject({ submitted: 0, error: { code } });
  expect(waits.slice(-10)).toEqual(Array.from({ length: 10 }, () => 60));
});

it.each([
  ['7,000 levels', '['.repeat(7_000) + ']'.repeat(7_000)],
  ['half a surrogate pair', '"\\ud83c"'],
  ['a number beyond those of the table', '1e300'],
])('a line with %s where any value may stand is invalid', (_, value) => {
  const text = line('a').replace(/}$/, `,"output":{"any":${value}}}`);
  expect(() => parseLine({ text })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
});

it('of a line that is larger than any may be only the beginning is read as text', () => {
  const long = Buffer.from(`{"id":"long","pad":"${'x'.repeat(40 * maxLineBytes)}"}\n${line('a')}`);
  const lines = splitLines(long, { offset: 0, isLast: true });
  expect(lines.map(({ text }) => text.length)).toEqual([8 * maxLineBytes, line('a').length]);
  expect(lines[1]).toMatchObject({ start: long.indexOf('\n') + 1, end: long.length });
});
