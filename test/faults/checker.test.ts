import { expect, it } from 'vitest';
import type { JobRecord } from '../../core/jobs/job.ts';
import { check, invariants } from './checker/check.ts';
import { calmPlan } from './simulation/fault.ts';
import type { LogEntry, Posted } from './simulation/log.ts';
import { anErrand } from './workload/errand.ts';
import { runWorld } from './workload/run.ts';

type Kind<K extends LogEntry['kind']> = Extract<LogEntry, { kind: K }>;
type Tamper = (log: LogEntry[]) => LogEntry[];

/** What really happened to one job, list and all, before anybody tampered with it. */
async function aTrueLog(): Promise<LogEntry[]> {
  const errands = [anErrand({ steps: [{ what: 'list', afterMs: 60_000 }] })];
  const { entries } = await runWorld({ plan: calmPlan(), errands });
  return structuredClone([...entries]);
}

const only = <K extends LogEntry['kind']>(log: LogEntry[], kind: K) =>
  log.filter((entry): entry is Kind<K> => entry.kind === kind);
const objects = (log: LogEntry[]) =>
  log.filter((entry): entry is Kind<'object-stored' | 'object-removed'> => entry.kind === 'object-stored');
const isEnd = (entry: LogEntry) =>
  entry.kind === 'written' && entry.before?.state === 'processing' && entry.after.state === 'completed';
const without =
  (drop: (entry: LogEntry) => boolean): Tamper =>
  (log) =>
    log.filter((entry) => !drop(entry));
const repeat =
  (which: (entry: LogEntry) => boolean): Tamper =>
  (log) =>
    log.flatMap((entry) => (which(entry) ? [entry, entry] : [entry]));
const rewritten =
  (change: (record: JobRecord) => object, which = isEnd): Tamper =>
  (log) =>
    log.map((entry) => {
      if (entry.kind !== 'written' || !which(entry)) return entry;
      return { ...entry, after: { ...entry.after, ...change(entry.after) } as JobRecord };
    });
const reposted =
  (change: Partial<Posted>): Tamper =>
  (log) =>
    log.map((entry) => (entry.kind === 'posted' ? { ...entry, post: { ...entry.post, ...change } } : entry));
const isWrite = (from: string | undefined, to: string) => (entry: LogEntry) =>
  entry.kind === 'written' && entry.before?.state === from && entry.after.state === to;
const last =
  (change: (record: JobRecord) => object): Tamper =>
  (log) => {
    const lastWrite = only(log, 'written').at(-1);
    return rewritten(change, (entry) => entry === lastWrite)(log);
  };
const more =
  (entry: (log: LogEntry[]) => object): Tamper =>
  (log) => [...log, entry(log) as LogEntry];

/** A death of the worker, and a rescue that came too late. */
const lateRescue: Tamper = (log) => {
  const claim = only(log, 'written').find(isWrite('queued', 'processing'));
  const died = (claim?.at ?? 0) + 1;
  const death = {
    kind: 'fault',
    fault: 'killed',
    app: 'transcode',
    effect: '',
    invocation: claim?.invocation,
  };
  const delayed = log.map((entry) => (entry.at > died ? { ...entry, at: entry.at + 180_000 } : entry));
  return [...delayed, { ...death, at: died, jobId: claim?.after.jobId } as LogEntry];
};
const attemptWith = (outcome: boolean) => (entry: LogEntry) =>
  entry.kind === 'attempt' && (entry.attempt.outcome !== undefined) === outcome;

/** For each invariant, a log that breaks it. */
const tampered: Record<string, Tamper> = {
  'every accepted job ends': without((entry) => isEnd(entry) || isWrite('completed', 'completed')(entry)),
  'one terminal write per job': repeat(isEnd),
  'an end stays what it was': last(() => ({ completedAt: '2026-03-02T00:00:00.000Z' })),
  'only legal transitions': rewritten(() => ({ state: 'cancelled' }), isWrite(undefined, 'queued')),
  'progress never falls': rewritten(() => ({ progress: 7 })),
  'every claim is an attempt of its own, at most three': repeat(isWrite('queued', 'processing')),
  'a job has one worker, where nothing fails': last(() => ({ attempt: 2 })),
  'no job waits in vain for a day': (log) =>
    log.map((entry) => {
      if (!isWrite('queued', 'processing')(entry) || entry.kind !== 'written') return entry;
      const after = { ...entry.after, state: 'failed' } as JobRecord;
      return { ...entry, after, at: entry.at + 86_400_000 };
    }),
  'an attempt is noted in the record before it is opened': without(isWrite('completed', 'completed')),
  'an accepted job is taken up within a minute, where nothing fails from then on': (log) =>
    log.map((entry) =>
      isWrite('queued', 'processing')(entry) ? { ...entry, at: entry.at + 90_000 } : entry,
    ),
  'nothing is left due': last(() => ({ dueAt: '2026-03-01T13:00:00.000Z' })),
  'one job per idempotency key': more((log) => ({ ...only(log, 'accepted')[0], jobId: 'another' })),
  'an attempt is written down before its POST, by who makes it': without(attemptWith(false)),
  'one POST per attempt': repeat((entry) => entry.kind === 'posted'),
  'three POSTs per delivery': (log) => [1, 2, 3].reduce((more) => [...more, ...only(log, 'posted')], log),
  'no POST after a recorded 2xx': reposted({ sentAt: Number.POSITIVE_INFINITY }),
  'one event per job: one webhook-id, one end': reposted({ webhookId: 'evt_another' }),
  "a webhook goes to its owner's receiver": reposted({ url: 'https://owner-2.example/willing' }),
  'a receiver that answers 2xx is told, unless every attempt was lost to a fault': without(
    (entry) => entry.kind === 'posted',
  ),
  'a delivery ends as its attempts say': without(attemptWith(true)),
  'no attempt stays open once its delivery is over': without(attemptWith(true)),
  'a retry is never early': reposted({ attempt: 2, sentAt: 0 }),
  'reconcile takes nothing up before it is due': (log) =>
    log.map((entry) => (isEnd(entry) ? ({ ...entry, app: 'reconcile' } as LogEntry) : entry)),
  'the end of a job is published at most once': repeat((entry) => entry.kind === 'published'),
  'the end of a job is published, where nothing fails': without((entry) => entry.kind === 'published'),
  'completed means that every listed file exists': without((entry) => entry.kind === 'object-stored'),
  'no objects of losers after the sweep': more((log) => ({
    ...objects(log)[0],
    key: objects(log)[0]?.key.replace('/1/', '/2/'),
  })),
  'no log of a deleted job after the sweep': last(() => ({ state: 'deleted' })),
  "no owner sees another's data": (log) =>
    log.map((entry) => (entry.kind === 'listed' ? { ...entry, ownerId: 'owner-2' } : entry)),
  'a list by state shows jobs that were in that state when it was read': (log) =>
    log.map((entry) => (entry.kind === 'listed' ? { ...entry, at: 0 } : entry)),
  'a killed worker is replaced within two minutes': lateRescue,
  'a worker stops once its job is over': more((log) => ({
    ...objects(log)[0],
    at: (log.at(-1)?.at ?? 0) + 600_000,
  })),
};

it('finds nothing wrong with what really happened', async () => {
  expect(check(await aTrueLog())).toEqual([]);
});

it.each(invariants)('notices that this is broken: $name', async ({ name }) => {
  const log = await aTrueLog();
  const found = check((tampered[name] ?? ((same) => same))(log));
  expect(found.map(({ invariant }) => invariant)).toContain(name);
});
