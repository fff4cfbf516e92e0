import { expect, it, vi } from 'vitest';
import { jobItem } from '../../../adapters/dynamodb/job-item.ts';
import { watchJob } from '../../../core/chunked/watch-job.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { costOfJob } from '../../../core/pricing/cost-of-job.ts';
import { recordBytes, taskWrites, unitsOfTasks } from '../../../core/pricing/per-job.ts';
import { itemBytes } from '../../../lab/bench/harness/calls/item-size.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { aParallelJob } from '../../builders/jobs/parallel-jobs.ts';
import { aSteppedClock } from '../../builders/jobs/stepped-clock.ts';
import { workerPorts } from '../../builders/jobs/worker-ports.ts';

/** A job whose tasks run for minutes, as many as can at the same time. */
function aJobWithTasks(count: number): JobIn<'processing'> {
  const of = (value: number, length = count) =>
    Object.fromEntries(Array.from({ length }, (_, n) => [String(n), value]));
  return {
    ...aParallelJob({ parts: count }),
    chunkProgress: of(100),
    taskMs: of(123_456),
    taskBeats: of(1_234, Math.min(count, 200)),
  };
}

it.each([4, 100, 200, 640])('the size of a record with %d tasks is that of its item', (count) => {
  const bytes = itemBytes(jobItem(aJobWithTasks(count)));
  expect(recordBytes(count)).toBeGreaterThanOrEqual(bytes);
  expect(recordBytes(count)).toBeLessThan(1.2 * bytes + 300);
});

/** The writes of a task that runs for `beats` heartbeats, with this percent after each. */
async function writesOf(beats: number, percentAt: (beat: number) => number): Promise<number> {
  const job = aParallelJob();
  const table = memoryJobTable();
  await table.write({ guard: { absent: true }, job });
  const recordChunkProgress = vi.fn(table.recordChunkProgress);
  const { clock, beat } = aSteppedClock();
  const watch = await watchJob(workerPorts({ jobs: { ...table, recordChunkProgress }, clock }), { ...job, chunk: 2 });
  for (let count = 1; count <= beats; count += 1) {
    watch?.report(percentAt(count));
    await beat();
  }
  watch?.report(100);
  await watch?.end();
  return recordChunkProgress.mock.calls.length;
}

it.each([
  ['rises at each heartbeat', 20, (beat: number) => 3 * beat],
  ['rises every eight seconds', 40, (beat: number) => Math.floor(beat / 4)],
  ['does not rise', 60, () => 0],
])('a task whose percent %s writes no more than is counted', async (_, beats, percentAt) => {
  const writes = await writesOf(beats, percentAt);
  expect(writes).toBeGreaterThan(beats / 4);
  expect(writes).toBeLessThanOrEqual(taskWrites(1, 2 * beats));
});

it('a task that rises at each heartbeat writes as often as is counted', async () => {
  expect(await writesOf(20, (beat) => 3 * beat)).toBe(taskWrites(1, 40));
});

it('each write of a task costs the units of the record with all tasks', () => {
  const units = unitsOfTasks({ tasks: 200, taskSeconds: 200 * 30, executions: 1 });
  // The start, 15 heartbeats and the end, of 5 KB.
  expect(units.table).toBe(200 * 17 * 5 + 2);
  expect(units.due).toBe(6);
  expect(unitsOfTasks({ tasks: 1, executions: 1 }).table).toBe(2);
});

it('the records of a job in chunks cost several times those of a single pass of the same time', () => {
  const stage = { architecture: 'arm64', memoryMb: 3008, retentionDays: 30 } as const;
  const common = { attempts: 1, outputs: 0, outputBytes: 0, reads: 2, downloads: 0, workerSeconds: 6_010 };
  const single = costOfJob({ ...common, tasks: 0, executions: 0 }, stage);
  const chunked = costOfJob({ ...common, taskSeconds: 6_000, tasks: 200, executions: 1 }, stage);
  expect(chunked.records / single.records).toBeGreaterThan(7);
});
