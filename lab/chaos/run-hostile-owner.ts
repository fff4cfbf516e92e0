import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { clipWith } from '@media-jobs/video/testing';
import type { JobResource } from '../../core/api/job-resource.ts';
import { anAttackerServer } from '../../test/hostile/attacker-server.ts';
import { type Attack, type Attacker, attacks } from '../../test/hostile/attacks.ts';
import { aCustomer, type Customer } from './customer.ts';
import { type HostedStage, startHostedStage } from './hosted-stage.ts';
import { countBy, isDeliveredOnce, unreadableFiles } from './run-chaos.ts';

const hostileOwner = 'hostile';
const maxFailures = 20;

/** Between two rounds of one attack. */
const pauseMs = 2_000;

/** The jobs of one owner, submitted at once. Seconds from the request to the webhook. */
type JobFigures = {
  states: Record<string, number>;
  attempts: Record<string, number>;
  p50Seconds: number;
  p95Seconds: number;
  unreadableFiles: number;
};

type AttackFigures = {
  rounds: number;
  /** Number of answers by status. */
  statuses: Record<string, number>;
  /** Answers that the API may not give to this attack. It may answer 503: the owner hurts itself. */
  unexpected: number;
};

type HostileFigures = {
  jobs: number;
  idle: JobFigures;
  besideAttacks: JobFigures;
  attacks: Record<string, AttackFigures>;
  /** The first answers with a status of 500 or above. */
  failures: string[];
  seconds: number;
};

type HostileOwnerOptions = { jobs: number; report: (text: string) => void };

/**
 * Runs the jobs of one owner on an idle stage, then as many while another owner attacks by every row of `attacks` at once.
 * `problems` counts jobs that did not end as on the idle stage, and unexpected answers.
 */
export async function runHostileOwner({
  jobs,
  report,
}: HostileOwnerOptions): Promise<{ figures: HostileFigures; problems: number }> {
  const began = Date.now();
  const directory = await mkdtemp(join(tmpdir(), 'hostile-'));
  const stage = await startHostedStage(directory, [hostileOwner]);
  const customer = await aCustomer(stage);
  const server = await anAttackerServer(await readFile(await clipWith()));
  try {
    report(`${jobs} jobs run on the idle stage`);
    const idle = await runJobs(customer, { jobs, name: 'idle', onSubmitted: () => undefined });
    report(`p50 ${idle.p50Seconds} s, p95 ${idle.p95Seconds} s. The attacks begin`);
    const victims: string[] = [];
    const failures: string[] = [];
    const siege = besiege(
      anAttacker(stage, {
        origin: server.origin,
        victimJobIds: () => victims,
        onFailure: (text) => failures.length < maxFailures && failures.push(text),
      }),
    );
    await siege.established;
    report(`Each attack had a round; ${jobs} jobs run beside them`);
    const besideAttacks = await runJobs(customer, {
      jobs,
      name: 'beside',
      onSubmitted: (id) => victims.push(id),
    });
    report(`p50 ${besideAttacks.p50Seconds} s, p95 ${besideAttacks.p95Seconds} s. The attacks end`);
    const found = await siege.end();
    const figures = {
      jobs,
      idle,
      besideAttacks,
      attacks: found,
      failures,
      seconds: Math.round((Date.now() - began) / 1_000),
    };
    const unexpected = Object.values(found).reduce((sum, each) => sum + each.unexpected, 0);
    return { figures, problems: unexpected + differences(idle, besideAttacks, jobs) };
  } finally {
    await stage.stop();
    await server.close();
    await customer.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** How many jobs did not complete with a readable file, on the idle stage or beside the attacks. */
function differences(idle: JobFigures, beside: JobFigures, jobs: number): number {
  return [idle, beside]
    .map(({ states, unreadableFiles: unreadable }) => jobs - (states.completed ?? 0) + unreadable)
    .reduce((sum, problems) => sum + problems, 0);
}

async function runJobs(
  customer: Customer,
  { jobs, name, onSubmitted }: { jobs: number; name: string; onSubmitted: (jobId: string) => void },
): Promise<JobFigures> {
  const results = await Promise.all(
    Array.from({ length: jobs }, async (_, n): Promise<{ job: JobResource; seconds: number }> => {
      const beganAt = performance.now();
      const jobId = await customer.submit(`${name}-${n}`);
      onSubmitted(jobId);
      const job = await customer.ended(jobId);
      while (!isDeliveredOnce(customer, job)) await wait(1_000);
      return { job, seconds: (performance.now() - beganAt) / 1_000 };
    }),
  );
  const ended = results.map(({ job }) => job);
  const sorted = results.map(({ seconds }) => seconds).toSorted((a, b) => a - b);
  const percentile = (share: number) => Number((sorted[Math.ceil(share * jobs) - 1] ?? 0).toFixed(1));
  return {
    states: countBy(ended, ({ state }) => state),
    attempts: countBy(ended, ({ attempt }) => String(attempt)),
    p50Seconds: percentile(0.5),
    p95Seconds: percentile(0.95),
    unreadableFiles: await unreadableFiles(customer, ended),
  };
}

function anAttacker(
  stage: HostedStage,
  { onFailure, ...more }: Pick<Attacker, 'origin' | 'victimJobIds'> & { onFailure: (text: string) => void },
): Attacker {
  return {
    ...more,
    async call(method, path, { body, credential = stage.keyOf(hostileOwner) } = {}) {
      const response = await fetch(stage.baseUrl() + path, {
        method,
        headers: {
          ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status >= 500) onFailure(`${method} ${path}: ${response.status} ${text}`);
      const answer = text === '' ? {} : JSON.parse(text);
      return { status: isOverload(answer) ? 503 : response.status, body: answer };
    },
  };
}

/** The gateway answers by itself if a function reaches its time limit, as on a machine that is too busy. */
function isOverload(answer: object): boolean {
  return 'message' in answer && answer.message === 'Internal Server Error';
}

/** Repeats every attack until `end`. `established` resolves when each had a round. */
function besiege(attacker: Attacker) {
  const stopped = new AbortController();
  const figures: Record<string, AttackFigures> = {};
  const sieges = attacks.map((attack) => {
    const own: AttackFigures = { rounds: 0, statuses: {}, unexpected: 0 };
    figures[attack.name] = own;
    const first = Promise.withResolvers<void>();
    return { first: first.promise, all: repeat(attack, own, first.resolve) };
  });

  async function repeat(attack: Attack, own: AttackFigures, onRound: () => void): Promise<void> {
    while (!stopped.signal.aborted) {
      for (const status of await attack.round(attacker)) {
        own.statuses[status] = (own.statuses[status] ?? 0) + 1;
        if (status !== 503 && !attack.statuses.includes(status)) own.unexpected += 1;
      }
      own.rounds += 1;
      onRound();
      await wait(pauseMs);
    }
  }

  return {
    established: Promise.all(sieges.map(({ first, all }) => Promise.race([first, all]))),
    async end(): Promise<Record<string, AttackFigures>> {
      stopped.abort();
      await Promise.all(sieges.map(({ all }) => all));
      return figures;
    },
  };
}
