import { describe, expect, it } from 'vitest';
import { callsOfJob } from '../../../core/pricing/calls-of-job.ts';
import { callsPerJob, heartbeatsWritten, unitsOfJob } from '../../../core/pricing/per-job.ts';
import { maxFirstAttempts } from '../../../lib/settings/first-attempts.ts';
import { settingsSchema } from '../../../lib/settings/settings.ts';
import { jobsPerSecond, limits } from '../../../scripts/scaling/limits.ts';
import { sources } from '../../../scripts/scaling/sources.ts';
import { loadsTable } from '../../../scripts/scaling/tables.ts';

const limitOf = (prefix: string) => {
  const found = limits.find(({ name }) => name.startsWith(prefix));
  if (found === undefined) throw new Error(`No limit begins with ${prefix}`);
  return found;
};

describe('the limits of a stage', () => {
  it('match the default settings and their maximum concurrency', () => {
    const { throttling, transcoder } = settingsSchema.parse({ stage: 'prod' });
    expect(limitOf('API requests, by default').maxPerSecond).toBe(throttling.requestsPerSecond);
    expect(limitOf('workers, by default').maxPerSecond).toBe(transcoder.maxConcurrency);
    expect(limitOf('first attempts of webhooks, by default').maxPerSecond).toBe(
      maxFirstAttempts(settingsSchema.parse({ stage: 'prod' })),
    );
    expect(limitOf('first attempts of webhooks, of an account').maxPerSecond).toBe(
      maxFirstAttempts({ accountConcurrency: limitOf('Lambda executions of an account').maxPerSecond }),
    );
    const workers = (maxConcurrency: number) =>
      settingsSchema.safeParse({ stage: 'prod', transcoder: { maxConcurrency } }).success;
    const { maxPerSecond } = limitOf('workers of a stage');
    expect([workers(maxPerSecond), workers(maxPerSecond + 1)]).toEqual([true, false]);
  });

  it('reference a source or a setting', () => {
    for (const { source } of limits) {
      if (!source.startsWith('`')) expect(Object.keys(sources)).toContain(source);
    }
  });

  it('allow as many jobs as fit into them', () => {
    expect(jobsPerSecond(limitOf('workers of a stage'), 500)).toBe(40);
    expect(jobsPerSecond(limitOf('StartExecution'), 2)).toBe(30_000);
    const { create, work, deliver } = callsOfJob;
    const writes = [create, work, deliver].reduce((sum, { units }) => sum + units.owner, 0);
    expect(jobsPerSecond(limitOf('writes to the partition of one owner'), 2)).toBeCloseTo(1_000 / writes);
  });
});

describe('the usage of a job', () => {
  it('contains a write for every second heartbeat, or for each percent and half lease of a long job', () => {
    expect([2, 20, 500, 1_000].map(heartbeatsWritten)).toEqual([0, 5, 125, 155]);
    expect([15, 16, 25].map((seconds) => unitsOfJob(seconds).due - unitsOfJob(2).due)).toEqual([0, 2, 4]);
  });

  it('counts a POST and two GETs as three requests', () => {
    expect(callsPerJob('apigateway.Request')).toBe(3);
    expect(callsPerJob('sns.Publish')).toBe(0);
  });
});

describe('the table of loads', () => {
  it('shows exceeded limits in bold', () => {
    const table = loadsTable([
      { jobsPerDay: 10, seconds: 500 },
      { jobsPerDay: 10_000_000, seconds: 500 },
    ]);
    expect(table).toMatch(/workers of a stage \| 0 \| \*\*289 %\*\* \|/);
  });
});
