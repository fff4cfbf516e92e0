// @module-tag jobs
import { expect, it } from 'vitest';
import { check } from '../../simulation/checker/check.ts';
import { historyOf, type JobHistory, lastRecord } from '../../simulation/checker/history.ts';
import { aJobScript, type JobScript } from '../../simulation/workload/job-script.ts';
import { runWorld } from '../../simulation/workload/run-world.ts';
import { noFaults } from '../../simulation/world/fault.ts';
import { laterAttemptsMs } from '../../simulation/world/ports.ts';

const reconcileMs = 60_000;

async function jobOf(differences: Partial<JobScript>): Promise<JobHistory> {
  const { entries } = await runWorld({ plan: noFaults(), scripts: [aJobScript(differences)] });
  expect(check(entries)).toEqual([]);
  const [job] = historyOf(entries).jobs;
  if (job === undefined) throw new Error('The job was accepted');
  return job;
}

/** The POSTs of a job as delivery, counted from 1, and attempt. */
function attemptsOf({ posts }: JobHistory): string[] {
  const deliveries = [...new Set(posts.map(({ post }) => post.deliveryId))];
  return posts.map(({ post }) => `${deliveries.indexOf(post.deliveryId) + 1}.${post.attempt}`);
}

it('an abandoned delivery is tried again by single attempts until a 2xx, and stays abandoned until then', async () => {
  const job = await jobOf({ receiver: 'recovering' });
  expect(attemptsOf(job)).toEqual(['1.1', '1.2', '1.3', '2.1', '3.1']);
  expect(new Set(job.posts.map(({ post }) => post.webhookId)).size).toBe(1);
  const outcomes = job.writes.map(({ after }) => ('deliveryOutcome' in after ? after.deliveryOutcome : undefined));
  expect([...new Set(outcomes)]).toEqual([undefined, 'abandoned', 'delivered']);
  expect(lastRecord(job)).not.toHaveProperty('laterAttempts');
});

it('later attempts are made at their times, to the minute of reconcile, and end after the last', async () => {
  const job = await jobOf({ receiver: 'unwilling' });
  expect(attemptsOf(job)).toEqual(['1.1', '1.2', '1.3', '2.1', '3.1']);
  const [third = 0, ...later] = job.posts.slice(2).map(({ post }) => post.sentAt);
  for (const [index, sentAt] of later.entries()) {
    const lateMs = sentAt - (later[index - 1] ?? third) - (laterAttemptsMs[index] ?? 0);
    expect(lateMs).toBeGreaterThanOrEqual(0);
    expect(lateMs).toBeLessThan(reconcileMs + 5_000);
  }
  expect(lastRecord(job)).toMatchObject({ deliveryOutcome: 'abandoned', laterAttempts: { begun: 2 } });
});

it('a requested redelivery has three attempts, and takes the place of the next later attempt', async () => {
  const steps = [{ what: 'redeliver', afterMs: 120_000 }] as const;
  const job = await jobOf({ receiver: 'unwilling', steps });
  expect(attemptsOf(job)).toEqual(['1.1', '1.2', '1.3', '2.1', '2.2', '2.3', '3.1', '4.1']);
});
