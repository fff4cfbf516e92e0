import { describe, expect, it } from 'vitest';
import type { JobRecord } from '../../core/jobs/record.ts';
import { check, invariants } from './checker/check.ts';
import { noFaults } from './simulation/fault.ts';
import type { LogEntry } from './simulation/log.ts';
import { tamperedChunks } from './tampered-chunks.ts';
import {
  isEnd,
  isWrite,
  last,
  more,
  objects,
  only,
  repeat,
  reposted,
  rewritten,
  type Tamper,
  without,
} from './tampering.ts';
import { aJobScript, type JobScript } from './workload/job-script.ts';
import { runWorld } from './workload/run-world.ts';

/** What really happened to one job, list and all, before anybody tampered with it. */
async function aTrueLog(script: Partial<JobScript> = {}): Promise<LogEntry[]> {
  const scripts = [aJobScript({ steps: [{ what: 'list', afterMs: 60_000 }], ...script })];
  const { entries } = await runWorld({ plan: noFaults(), scripts });
  return structuredClone([...entries]);
}

const inParts = { input: 'long' } as const;

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

const brokenBy = (log: LogEntry[]) => check(log).map(({ invariant }) => invariant);

it.each([{}, inParts])('finds nothing wrong with what really happened: %o', async (script) => {
  expect(check(await aTrueLog(script))).toEqual([]);
});

it('is itself tested by a breach of each invariant', () => {
  const broken = new Set([...Object.keys(tampered), ...tamperedChunks.map(({ name }) => name)]);
  expect([...broken].sort()).toEqual(invariants.map(({ name }) => name).sort());
});

describe('notices that this is broken:', () => {
  it.each(Object.entries(tampered))('%s', async (name, tamper) => {
    expect(brokenBy(tamper(await aTrueLog()))).toContain(name);
  });

  it.each(tamperedChunks)('$name: $how', async ({ name, tamper }) => {
    expect(brokenBy(tamper(await aTrueLog(inParts)))).toContain(name);
  });
});
