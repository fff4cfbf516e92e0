import { isDeepStrictEqual } from 'node:util';
import { isTerminal, type TerminalJob } from '../../../core/jobs/record.ts';
import { nanoUsdOf, usageDateOf, usageOf } from '../../../core/jobs/usage.ts';
import { costLimitOfReservation } from '../../../core/pricing/cost-limit.ts';
import { maxExcessUsd } from './cost-invariants.ts';
import { type History, type JobHistory, terminalWrites } from './history.ts';
import type { Invariant } from './invariant.ts';

type SpendingEntry = History['spending'][number];

export const spendingMatchesJobs: Invariant = {
  name: 'the spending under a cap is the cost of its ended jobs, each counted once, and nothing stays reserved',
  breaches: (history) => {
    const last = new Map(history.spending.map((entry) => [counterOf(entry), entry.counter]));
    const expected = spentByAccount(history);
    return [...new Set([...last.keys(), ...expected.keys()])].flatMap((name) => {
      const { spent = {}, reserved = {} } = last.get(name) ?? {};
      const costs = expected.get(name) ?? {};
      const breaches = isDeepStrictEqual(spent, costs)
        ? []
        : [`${name} has ${JSON.stringify(spent)}, its jobs ${JSON.stringify(costs)}`];
      const left = Object.keys(reserved).map((jobId) => `${name} still reserves for ${jobId}`);
      return [...breaches, ...left];
    });
  },
};

export const reservationsStayWithinCaps: Invariant = {
  name: 'what is spent and reserved stays within the cap with each new reservation',
  breaches: (history) => {
    const before = new Map<string, SpendingEntry['counter']>();
    return history.spending.flatMap((entry) => {
      const name = counterOf(entry);
      const { reserved = {} } = before.get(name) ?? {};
      before.set(name, entry.counter);
      const added = Object.entries(entry.counter.reserved).filter(([jobId, cost]) => cost > (reserved[jobId] ?? 0));
      return added.flatMap(([jobId]) => findExcess(history, entry, jobId));
    });
  },
};

export const encodedUnderReservation: Invariant = {
  name: 'a job under a cap is encoded after its cost was reserved',
  breaches: (history) =>
    history.jobs.flatMap((job) => {
      const begun = Math.min(...job.encoded.map(({ begunAt }) => begunAt));
      if (begun === Number.POSITIVE_INFINITY) return [];
      return capsOf(job).flatMap(({ keyId }) => {
        const isReserved = history.spending.some(
          ({ at, counter, ...owner }) =>
            owner.ownerId === job.ownerId &&
            owner.keyId === keyId &&
            at <= begun &&
            counter.reserved[job.jobId] !== undefined &&
            counter.unconfirmed?.[job.jobId] === undefined,
        );
        return isReserved ? [] : [`${job.jobId} was encoded without a reservation`];
      });
    }),
};

export const jobsStayNearTheirReservation: Invariant = {
  name: 'a job under a cap costs no more than follows from its reservation, apart from its last chunk and lost workers',
  breaches: (history) =>
    history.jobs.flatMap((job) => {
      // The last one is that of the worker.
      const reserved = history.spending.flatMap(({ counter }) => counter.reserved[job.jobId] ?? []);
      const maxUsd = costLimitOfReservation((reserved.at(-1) ?? 0) / 1e9);
      return terminalWrites(job)
        .map(({ after }) => after)
        .filter(isTerminal)
        .filter(({ attempt, cost = {} }) => nanoUsdOf(cost) / 1e9 > maxUsd + maxExcessUsd * attempt)
        .filter(() => capsOf(job).length > 0)
        .map(({ cost = {} }) => `${job.jobId} cost ${nanoUsdOf(cost) / 1e9}, more than ${maxUsd}`);
    }),
};

function findExcess(history: History, { counter, keyId }: SpendingEntry, jobId: string): string[] {
  const job = history.job(jobId);
  // A job that was reserved for, but never written.
  if (job === undefined || job.writes.length === 0) return [];
  const { usdPerDay } = capsOf(job).find((cap) => cap.keyId === keyId) ?? {};
  if (usdPerDay === undefined) return [`${jobId} reserves under a cap that it does not have`];
  const day = usageDateOf(jobId);
  const reserved = Object.entries(counter.reserved).filter(([id]) => usageDateOf(id) === day);
  const use = reserved.reduce((sum, [, cost]) => sum + cost, counter.spent[day] ?? 0);
  return use > usdPerDay * 1e9 + 1 ? [`${jobId} reserved ${use} of ${usdPerDay * 1e9}`] : [];
}

function spentByAccount(history: History): Map<string, Record<string, number>> {
  const spent = new Map<string, Record<string, number>>();
  for (const job of history.jobs) {
    for (const ended of terminalWrites(job)
      .map(({ after }) => after)
      .filter(isTerminal)) {
      for (const { keyId } of capsOf(job)) add(spent, counterOf({ ...ended, keyId }), ended);
    }
  }
  return spent;
}

function add(spent: Map<string, Record<string, number>>, counter: string, job: TerminalJob): void {
  const days = spent.get(counter) ?? {};
  const day = usageDateOf(job.jobId);
  spent.set(counter, { ...days, [day]: (days[day] ?? 0) + usageOf(job).nanoUsd });
}

function capsOf({ writes }: JobHistory) {
  const [created] = writes;
  return created?.after.spendingCaps ?? [];
}

function counterOf({ ownerId, keyId }: { ownerId: string; keyId?: string | undefined }): string {
  return keyId === undefined ? ownerId : `${ownerId} ${keyId}`;
}
