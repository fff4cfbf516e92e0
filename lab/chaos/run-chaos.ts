import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { seededRandom } from '@media-jobs/testing/random';
import type { JobResource } from '../../core/api/job-resource.ts';
import { webhookId } from '../../core/webhooks/delivery.ts';
import { aCustomer, type Customer } from './customer.ts';
import { startHostedStage } from './hosted-stage.ts';
import { type InjectedFaults, injectFaults } from './inject-faults.ts';

const mischiefMs = 120_000;
const maxMs = 570_000;

export type ChaosOptions = { jobs: number; seed: number; report: (text: string) => void };

export type ChaosFigures = InjectedFaults & {
  jobs: number;
  ended: number;
  states: Record<string, number>;
  /** Why jobs failed. */
  errors: Record<string, number>;
  attempts: Record<string, number>;
  withoutOneEvent: number;
  unreadableFiles: number;
  seconds: number;
};

/**
 * Runs jobs on a stage in a process of its own, while its functions, its services and that process are killed.
 *
 * @throws Error if any job has not ended, or its webhook has not arrived, within ten minutes
 */
export async function runChaos({ jobs, seed, report }: ChaosOptions): Promise<ChaosFigures> {
  const began = Date.now();
  const directory = await mkdtemp(join(tmpdir(), 'chaos-'));
  const stage = await startHostedStage(directory);
  const customer = await aCustomer(stage);
  try {
    const random = seededRandom(seed);
    const mischief = injectFaults(stage, { random, forMs: mischiefMs, crashes: 3, report });
    const progress: Progress = { accepted: new Set(), ended: new Set(), delivered: new Set() };
    const all = Promise.all(Array.from({ length: jobs }, (_, n) => oneJob(customer, n / jobs, progress)));
    const telling = setInterval(() => report(progressLine(progress)), 30_000).unref();
    report(`${jobs} jobs are on their way`);
    const [done] = await Promise.all([mischief, Promise.race([all, tooLate(progress)])]);
    const ended = await all;
    clearInterval(telling);
    report(`All ${ended.length} jobs have ended`);
    return {
      jobs,
      ended: ended.length,
      states: countBy(ended, ({ state }) => state),
      errors: countBy(
        ended.filter(({ error }) => error !== undefined),
        ({ error }) => `${error?.code} while ${error?.stage}`,
      ),
      attempts: countBy(ended, ({ attempt }) => String(attempt)),
      withoutOneEvent: ended.filter((job) => !isDeliveredOnce(customer, job)).length,
      unreadableFiles: await unreadableFiles(customer, ended),
      ...done,
      seconds: Math.round((Date.now() - began) / 1_000),
    };
  } finally {
    await stage.stop();
    await customer.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** The ids of the jobs that have reached each step. */
type Progress = { accepted: Set<string>; ended: Set<string>; delivered: Set<string> };

function progressLine({ accepted, ended, delivered }: Progress): string {
  return `${accepted.size} jobs accepted, ${ended.size} ended, ${delivered.size} delivered`;
}

async function tooLate(progress: Progress): Promise<never> {
  await wait(maxMs, undefined, { ref: false });
  const { accepted, delivered } = progress;
  const open = [...accepted].filter((jobId) => !delivered.has(jobId));
  throw new Error(`After ${maxMs / 1_000} s: ${progressLine(progress)}; not over: ${open.join(', ')}`);
}

/** Submits a job, spread over the first two thirds of the time, and waits for its end and its webhook. */
async function oneJob(customer: Customer, turn: number, progress: Progress): Promise<JobResource> {
  await wait(turn * mischiefMs * (2 / 3));
  const jobId = await customer.submit(`chaos-${turn}`);
  progress.accepted.add(jobId);
  const job = await customer.ended(jobId);
  progress.ended.add(jobId);
  while (!isDeliveredOnce(customer, job)) await wait(1_000);
  progress.delivered.add(jobId);
  return job;
}

/** Whether every webhook of the job has the same id and the same terminal state. */
export function isDeliveredOnce({ delivered }: Customer, { jobId, state, completedAt }: JobResource): boolean {
  const events = delivered().get(webhookId(jobId));
  return events?.size === 1 && events.has(`${jobId} ${state} ${Date.parse(completedAt ?? '')}`);
}

/** How many completed jobs have a file that cannot be downloaded. */
export async function unreadableFiles(customer: Customer, ended: readonly JobResource[]): Promise<number> {
  let failures = 0;
  for (const { jobId } of ended.filter(({ state }) => state === 'completed')) {
    const { output } = await customer.ended(jobId);
    const answer = await fetch(output?.signedUrl ?? '');
    if (!answer.ok || (await answer.arrayBuffer()).byteLength === 0) failures += 1;
  }
  return failures;
}

export function countBy<T>(all: readonly T[], name: (one: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of all) counts[name(one)] = (counts[name(one)] ?? 0) + 1;
  return counts;
}
