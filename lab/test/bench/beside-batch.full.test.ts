import { expect, it } from 'vitest';
import { aDynaliteTable } from '../../../test/builders/storage/dynalite-table.ts';
import { type Start, virtualQueue } from '../../bench/harness/neighbour/virtual-queue.ts';

const startsAt = Date.parse('2026-03-01T12:00:00.000Z');
const jobMs = 1_000;
const workers = 10;

const table = await aDynaliteTable();

type Setting = { of: number; batch: number; ownerId: string; batchOwner?: string };

/** What starts on so many workers: a batch at once, and after its first jobs 16 other jobs, which the owner submits at once. */
async function startsBeside({ of, batch, ownerId, batchOwner = ownerId }: Setting): Promise<Start[]> {
  const queue = virtualQueue(table, { workers: of, startsAt, jobMs: () => jobMs, maxRunningJobs: 100 });
  const starts: (Start | undefined)[] = [];
  if (batch > 0) await queue.submit(batchOwner, batch, 'batch');
  for (let start = 0; start < Math.min(batch, 2 * of); start += 1) starts.push(await queue.startNext());
  await queue.submit(ownerId, 16);
  do starts.push(await queue.startNext());
  while (starts.at(-1) !== undefined);
  return starts.filter((start) => start !== undefined);
}

const meanWait = (starts: Start[]) => {
  const others = starts.filter(({ queue }) => queue === undefined);
  expect(others).toHaveLength(16);
  return others.reduce((sum, { startedAt, submittedAt }) => sum + startedAt - submittedAt, 0) / others.length;
};

it.each([
  ['of its own', undefined],
  ['of another owner', 'other'],
])('beside a full batch %s, jobs start as on a fifth of the workers, and the batch ends', async (name, batchOwner) => {
  const alone = await startsBeside({ of: workers / 5, batch: 0, ownerId: `alone ${name}` });
  const beside = await startsBeside({ of: workers, batch: 60, ownerId: `beside ${name}`, batchOwner });
  expect(meanWait(beside)).toBeLessThanOrEqual(1.1 * meanWait(alone));
  const ofBatch = beside.filter(({ queue }) => queue === 'batch').map(({ startedAt }) => startedAt);
  expect(ofBatch).toHaveLength(60);
  const running = ofBatch.map((at) => ofBatch.filter((other) => other <= at && other > at - jobMs).length);
  expect(Math.max(...running)).toBe(8);
});
