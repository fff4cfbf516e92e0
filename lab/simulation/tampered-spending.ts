import { isTerminal } from '../../core/jobs/record.ts';
import type { SpendingCounter } from '../../core/spending/spending-counter.ts';
import { only, type Tamper, without } from './tampering.ts';

/** Changes every counter of a log. */
const counters =
  (change: (counter: SpendingCounter, jobId: string) => Partial<SpendingCounter>): Tamper =>
  (log) =>
    log.map((entry) => {
      if (entry.kind !== 'spending') return entry;
      const jobId = only(log, 'written')[0]?.after.jobId ?? '';
      return { ...entry, counter: { ...entry.counter, ...change(entry.counter, jobId) } };
    });

const matches = 'the spending under a cap is the cost of its ended jobs, each counted once, and nothing stays reserved';

/** Logs of one job under a cap, with breaches of the invariants of spending. */
export const tamperedSpending: readonly { name: string; how: string; tamper: Tamper }[] = [
  { name: matches, how: 'no counter was written', tamper: without(({ kind }) => kind === 'spending') },
  {
    name: matches,
    how: 'the cost was counted twice',
    tamper: counters(({ spent }) => ({
      spent: Object.fromEntries(Object.entries(spent).map(([day, cost]) => [day, 2 * cost])),
    })),
  },
  {
    name: matches,
    how: 'the reservation stays',
    tamper: counters((_, jobId) => ({ reserved: { [jobId]: 1 } })),
  },
  {
    name: 'what is spent and reserved stays within the cap with each new reservation',
    how: 'the reservation is larger than the cap',
    tamper: counters((_, jobId) => ({ reserved: { [jobId]: 1e12 } })),
  },
  {
    name: 'a job under a cap is encoded after its cost was reserved',
    how: 'the counter is written later',
    tamper: (log) => log.map((entry) => (entry.kind === 'spending' ? { ...entry, at: entry.at + 60_000 } : entry)),
  },
  {
    name: 'a job under a cap costs no more than follows from its reservation, apart from its last chunk and lost workers',
    how: 'it costs two cents',
    tamper: (log) =>
      log.map((entry) =>
        entry.kind === 'written' && isTerminal(entry.after)
          ? { ...entry, after: { ...entry.after, cost: { worker: 20_000_000 } } }
          : entry,
      ),
  },
];
