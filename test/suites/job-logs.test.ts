import { beforeEach, describe, expect, it } from 'vitest';
import { jobLogs } from '../../adapters/dynamodb/job-logs.ts';
import type { AttemptLog, JobLogs } from '../../core/jobs/attempt-log.ts';
import { memoryJobLogs } from '../../lab/simulation/memory/job-logs.ts';
import { aJobId, later } from '../builders/jobs/jobs.ts';
import { aNewOwner, bothStores } from './stores.ts';

const aLog = (attempt: number, log = 'frame=1'): AttemptLog => ({
  attempt,
  ffmpegVersion: '7.1',
  commands: [['-i', 'input', 'output.mp4']],
  log,
});

describe.each(bothStores(jobLogs, memoryJobLogs))('the logs of a job %s', (_, openLogs) => {
  let logs: JobLogs;
  let ownerId: string;
  beforeEach(async () => {
    logs = await openLogs();
    ownerId = aNewOwner();
  });
  const ref = (n: number) => ({ ownerId, jobId: aJobId(n) });

  it('are kept for each attempt, in their order', async () => {
    for (const attempt of [2, 10, 1]) await logs.put(ref(1), aLog(attempt), later(0));
    expect((await logs.list(ref(1))).map(({ attempt }) => attempt)).toEqual([1, 2, 10]);
  });

  it('hold 64 KiB of non-ASCII text', async () => {
    const text = 'ü'.repeat(32 * 1024);
    await logs.put(ref(2), aLog(1, text), later(0));
    expect(await logs.list(ref(2))).toEqual([aLog(1, text)]);
  });

  it('belong to one job of one owner', async () => {
    await logs.put(ref(3), aLog(1), later(0));
    expect(await logs.list(ref(4))).toEqual([]);
    expect(await logs.list({ ...ref(3), ownerId: aNewOwner() })).toEqual([]);
  });

  it('of an attempt are replaced by later logs of the same attempt', async () => {
    await logs.put(ref(5), aLog(1, 'first'), later(0));
    await logs.put(ref(5), aLog(1, 'second'), later(0));
    expect(await logs.list(ref(5))).toEqual([aLog(1, 'second')]);
  });

  it('are removed together', async () => {
    for (const attempt of [1, 2]) await logs.put(ref(6), aLog(attempt), later(0));
    await logs.put(ref(7), aLog(1), later(0));
    await logs.removeAll(ref(6));
    expect(await logs.list(ref(6))).toEqual([]);
    expect(await logs.list(ref(7))).toHaveLength(1);
  });
});
