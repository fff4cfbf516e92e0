import { describe, expect, it } from 'vitest';
import type { JobRecord, TerminalJob } from '../../core/jobs/record.ts';
import { check, invariants } from './checker/check.ts';
import { noFaults } from './simulation/fault.ts';
import type { LogEntry } from './simulation/log.ts';
import { tamperedChunks } from './tampered-chunks.ts';
import { tamperedProvider, tamperedUnpublished } from './tampered-provider.ts';
import { tamperedSecondRuns } from './tampered-second-runs.ts';
import { tamperedSpending } from './tampered-spending.ts';
import { tamperedSteps } from './tampered-steps.ts';
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
import { aJobScript, contentKeyInClear, type JobScript } from './workload/job-script.ts';
import { type RunOptions, runWorld } from './workload/run-world.ts';

/** The true log of one job, with a list request. */
async function aTrueLog(
  script: Partial<JobScript> = {},
  options: Partial<RunOptions> = {},
): Promise<LogEntry[]> {
  const scripts = [aJobScript({ steps: [{ what: 'list', afterMs: 60_000 }], ...script })];
  const { entries } = await runWorld({ plan: noFaults(), scripts, ...options });
  return structuredClone([...entries]);
}

const inParts = { input: 'long' } as const;
const inSteps = { input: 'long', isPipeline: true, encodeMs: 40_000 } as const;
const underCap = { keyUsdPerDay: 1 };
const onFargate = { input: 'endless' } as const;
const atProvider = { providerOwners: ['owner-1'] };
const rejected = () => ({
  ...atProvider,
  plan: noFaults(({ effect }) => (effect === 'provider.send' ? 'fail' : undefined)),
});

/** The worker dies, and the next one comes too late. */
function lateRescue(app: string, lateMs: number): Tamper {
  return (log) => {
    const claim = only(log, 'written').find(isWrite('queued', 'processing'));
    const died = (claim?.at ?? 0) + 1;
    const death = {
      kind: 'fault',
      fault: 'killed',
      app,
      effect: '',
      invocation: claim?.invocation,
    };
    const delayed = log.map((entry) => (entry.at > died ? { ...entry, at: entry.at + lateMs } : entry));
    return [...delayed, { ...death, at: died, jobId: claim?.after.jobId } as LogEntry];
  };
}

/** Two more jobs hold the worker of a stage with one, with changed fields. */
function claimedBeside(change: (at: number) => Partial<JobRecord>): Tamper {
  return (log) => {
    const claim = only(log, 'written').find(isWrite('queued', 'processing'));
    if (claim === undefined) throw new Error('The job was claimed');
    const others = ['first', 'second'].map((jobId) => {
      const after = { ...claim.after, ...change(claim.at), jobId } as JobRecord;
      return { ...claim, after };
    });
    return [...others, ...log.map((entry) => (entry.kind === 'slots' ? { ...entry, workers: 1 } : entry))];
  };
}

const isOpenedAttempt = (entry: LogEntry) => entry.kind === 'attempt' && entry.attempt.outcome === undefined;

const recordsDelivery = (entry: LogEntry) => entry.kind === 'written' && 'deliveredAttempt' in entry.after;

/** The write that settles the delivery records another outcome, or none. */
const settledWith = (outcome: { delivered: false } | undefined): Tamper =>
  rewritten((record) => {
    const { deliveredAttempt } = record as TerminalJob;
    if (deliveredAttempt === undefined || outcome === undefined) return { deliveredAttempt: undefined };
    return {
      deliveredAttempt: { ...deliveredAttempt, outcome: { ...deliveredAttempt.outcome, ...outcome } },
    };
  }, recordsDelivery);

/** A service was down when a worker called it. */
function afterOutage(tamper: Tamper): Tamper {
  return (log) => {
    const { jobId } = only(log, 'accepted')[0] ?? {};
    const outage = { kind: 'fault', fault: 'outage', app: 'transcode', effect: 'files.upload', jobId };
    return [{ ...outage, at: 0, invocation: 1 } as LogEntry, ...tamper(log)];
  };
}

/** For each invariant, a log that breaks it. */
const tampered: Record<string, Tamper> = {
  'an outage alone fails no accepted job, and requeues it once at most': afterOutage(
    rewritten(() => ({ state: 'failed', error: { code: 'UPLOAD_ERROR' } }), isEnd),
  ),
  'an outage alone costs a willing receiver no webhook': afterOutage(
    without((entry) => entry.kind === 'posted'),
  ),
  'every accepted job ends': without((entry) => isEnd(entry) || isWrite('completed', 'completed')(entry)),
  'each job has one terminal write': repeat(isEnd),
  'a terminal state is final': last(() => ({ completedAt: '2026-03-02T00:00:00.000Z' })),
  'every transition is legal': rewritten(() => ({ state: 'cancelled' }), isWrite(undefined, 'queued')),
  'progress never falls': rewritten(() => ({ progress: 7 })),
  'every claim starts a new attempt, at most three': repeat(isWrite('queued', 'processing')),
  'a job has one worker, without faults': last(() => ({ attempt: 2 })),
  'a job that takes longer than a function has goes on in a Fargate task, without faults': rewritten(() => ({
    state: 'failed',
    error: { code: 'TIMEOUT' },
  })),
  'no job expires in the queue while workers exist': (log) =>
    log.map((entry) => {
      if (!isWrite('queued', 'processing')(entry) || entry.kind !== 'written') return entry;
      const after = { ...entry.after, state: 'failed' } as JobRecord;
      return { ...entry, after, at: entry.at + 86_400_000 };
    }),
  'reconcile is not due while an attempt runs, without faults': rewritten(
    () => ({ dueAt: '2026-03-01T12:00:00.000Z' }),
    isEnd,
  ),
  'an accepted job is claimed within a minute, or two if its message was not sent, without later faults': (
    log,
  ) =>
    log.map((entry) =>
      isWrite('queued', 'processing')(entry) ? { ...entry, at: entry.at + 90_000 } : entry,
    ),
  'no dueAt remains': last(() => ({ dueAt: '2026-03-01T13:00:00.000Z' })),
  'each idempotency key has one job': more((log) => ({ ...only(log, 'accepted')[0], jobId: 'another' })),
  'an attempt is recorded before its POST, by the invocation that sends it': without(isOpenedAttempt),
  'each attempt has one POST': repeat((entry) => entry.kind === 'posted'),
  'each delivery has at most three POSTs': (log) =>
    [1, 2, 3].reduce((more) => [...more, ...only(log, 'posted')], log),
  'an abandoned delivery is followed by each later attempt in time, with one POST, until a 2xx': last(() => ({
    deliveryOutcome: 'abandoned',
  })),
  'few deliveries to slow receivers of an owner run at once, and half as many to one of them': (log) => [
    ...log,
    {
      kind: 'slow-receivers',
      ownerId: 'owner-1',
      origin: 'https://owner-1.example',
      at: (only(log, 'posted')[0]?.post.sentAt ?? 0) - 6_000,
    },
    ...[1, 2].flatMap((n) =>
      only(log, 'posted').map((entry) => ({
        ...entry,
        post: { ...entry.post, deliveryId: `another-${n}`, endsAt: entry.post.sentAt + 10_000 },
      })),
    ),
  ],
  'no POST is sent after a recorded 2xx': reposted({ sentAt: Number.POSITIVE_INFINITY }),
  'each job has one event: one webhook-id, one terminal state': reposted({ webhookId: 'evt_another' }),
  "a webhook goes to its owner's receiver": reposted({ url: 'https://owner-2.example/willing' }),
  'a receiver that answers 2xx gets the webhook, unless every attempt was lost to a fault': without(
    (entry) => entry.kind === 'posted',
  ),
  'the outcome of a delivery matches its attempts': settledWith(undefined),
  'no attempt stays open once its delivery is settled': settledWith(undefined),
  'a failed attempt is followed by the next within seconds, without faults': (log) =>
    settledWith({ delivered: false })(log).flatMap((entry): LogEntry[] =>
      entry.kind === 'attempt'
        ? [entry, { ...entry, at: entry.at + 60_000, attempt: { ...entry.attempt, attempt: 2 } }]
        : [entry],
    ),
  'a retry is never early': reposted({ attempt: 2, sentAt: 0 }),
  'reconcile changes no job before its dueAt': (log) =>
    log.map((entry) => (isEnd(entry) ? ({ ...entry, app: 'reconcile' } as LogEntry) : entry)),
  'the end of a job is published at most once': repeat((entry) => entry.kind === 'published'),
  'the end of a job is published, without faults': without((entry) => entry.kind === 'published'),
  'every listed file of a completed job exists': without((entry) => entry.kind === 'object-stored'),
  'no object of a superseded attempt remains after the sweep': more((log) => ({
    ...objects(log)[0],
    key: objects(log)[0]?.key.replace('/1/', '/2/'),
  })),
  'no owner has more running jobs than its limit': (log) =>
    log.map((entry) => (entry.kind === 'slots' ? { ...entry, max: 0 } : entry)),
  'a claimed attempt has a slot': without((entry) => entry.kind === 'slots'),
  'the record of an encrypted stream has its content key while it, or a retry, may be encoded': rewritten(
    ({ jobId }) => ({ contentKey: { jobId, encrypted: `sealed@owner-1/${jobId}` } }),
  ),
  'no record has a content key in clear, and each opens for its owner': last(() => ({
    contentKey: contentKeyInClear,
  })),
  'a slot is freed when its attempt ends, without faults': without(
    (entry) => entry.kind === 'slots' && entry.slots.length === 0,
  ),
  'no owner takes more than its share of the workers while a job of another waits': (log) => {
    const claim = log.find(isWrite('queued', 'processing'));
    const created = log.find(isWrite(undefined, 'queued'));
    const of = (entry: LogEntry | undefined, jobId: string, ownerId: string, at: number) =>
      entry?.kind === 'written'
        ? [{ ...entry, at, after: { ...entry.after, jobId, ownerId } } as LogEntry]
        : [];
    const at = claim?.at ?? 0;
    return [
      ...of(created, 'waiting', 'owner-2', at - 60_000),
      ...of(claim, 'slow', 'owner-1', at),
      ...log.map((entry) => (entry.kind === 'slots' ? { ...entry, workers: 1 } : entry)),
    ];
  },
  'no more long jobs hold a worker than there are permits': claimedBeside(() => ({ lane: 'long' })),
  'a job that its probe shows to be long needs a permit, without faults': (log) =>
    log.map((entry) => {
      if (entry.kind !== 'written' || !('request' in entry.after)) return entry;
      const request = { ...entry.after.request, input: { url: 'https://media.example/lengthy/9' } };
      return { ...entry, after: { ...entry.after, request }, at: entry.at + (isEnd(entry) ? 90_000 : 0) };
    }),
  'no more jobs hold a worker for over two minutes than there are permits': claimedBeside((at) => ({
    claimedAt: new Date(at - 600_000).toISOString(),
  })),
  'a long job is claimed within a minute once a permit and a worker are free, without faults': (log) => {
    const created = only(log, 'written').find(isWrite(undefined, 'queued'));
    if (created === undefined) throw new Error('The job was created');
    const after = { ...created.after, jobId: 'waiting', lane: 'long' } as JobRecord;
    return [{ ...created, at: created.at - 90_000, after }, ...log];
  },
  'a job that is known to be long is not requeued for a permit again': more((log) => {
    const claim = only(log, 'written').find(isWrite('queued', 'processing'));
    return { ...claim, before: { ...claim?.after, lane: 'long' }, after: claim?.before };
  }),
  'no log of a deleted job remains after the sweep': last(() => ({ state: 'deleted' })),
  "no owner sees another's data": (log) =>
    log.map((entry) => (entry.kind === 'listed' ? { ...entry, ownerId: 'owner-2' } : entry)),
  'a list by state shows jobs that were in that state when it was read': (log) =>
    log.map((entry) => (entry.kind === 'listed' ? { ...entry, at: 0 } : entry)),
  'the usage of an owner is that of its undeleted jobs, in each group': (log) =>
    log.map((entry) => (entry.kind === 'usage' ? { ...entry, group: undefined } : entry)),
  'the time of the functions of a job is counted, and none of it twice': rewritten(() => ({
    functionUse: { workerMs: 60_000, taskMs: 0, tasks: 0, executions: 0 },
  })),
  'a job costs no more than its request allows, apart from its last chunk and lost workers': rewritten(
    ({ ...record }) => ({
      request: { ...('request' in record ? record.request : {}), maxCostUsd: 0.000001 },
    }),
  ),
  'a record tells that its job was counted': last(() => ({ usageCounted: false })),
  'a killed worker is replaced within two minutes': lateRescue('transcode', 180_000),
  'the job of a killed Fargate task is requeued or ends within seven minutes': lateRescue(
    'fargate-task',
    480_000,
  ),
  'a Fargate task takes no job over that another one has': more((log) => {
    const claim = only(log, 'written').find(isWrite('queued', 'processing'));
    const before = {
      ...claim?.after,
      delegation: { worker: 'fargate', execution: 'other-1', hasStarted: true },
    };
    const after = { ...before, claimedAt: '2026-03-02T00:00:00.000Z' };
    return { ...claim, app: 'fargate-task', before, after };
  }),
  'a worker stops once its job has ended': more((log) => ({
    ...objects(log)[0],
    at: (log.at(-1)?.at ?? 0) + 600_000,
  })),
};

const brokenBy = (log: LogEntry[]) => check(log).map(({ invariant }) => invariant);

it.each([
  [{}, {}],
  [inParts, {}],
  [inSteps, {}],
  [onFargate, {}],
  [{}, atProvider],
  [{}, rejected()],
  [underCap, {}],
])('the checker finds no breach in a true log: %o %o', async (script, options) => {
  expect(check(await aTrueLog(script, options))).toEqual([]);
});

it('every invariant has a log that breaks it', () => {
  const others = [
    ...tamperedChunks,
    ...tamperedSecondRuns,
    ...tamperedProvider,
    ...tamperedUnpublished,
    ...tamperedSpending,
    ...tamperedSteps,
  ];
  const broken = new Set([...Object.keys(tampered), ...others.map(({ name }) => name)]);
  expect([...broken].sort()).toEqual(invariants.map(({ name }) => name).sort());
});

describe('the checker finds the breach of', () => {
  it.each(Object.entries(tampered))('%s', async (name, tamper) => {
    expect(brokenBy(tamper(await aTrueLog()))).toContain(name);
  });

  it.each([...tamperedChunks, ...tamperedSecondRuns])('$name: $how', async ({ name, tamper }) => {
    expect(brokenBy(tamper(await aTrueLog(inParts)))).toContain(name);
  });

  it.each(tamperedSteps)('$name: $how', async ({ name, tamper }) => {
    expect(brokenBy(tamper(await aTrueLog(inSteps)))).toContain(name);
  });

  it.each(tamperedProvider)('$name: $how', async ({ name, tamper }) => {
    expect(brokenBy(tamper(await aTrueLog({}, atProvider)))).toContain(name);
  });

  it.each(tamperedSpending)('$name: $how', async ({ name, tamper }) => {
    expect(brokenBy(tamper(await aTrueLog(underCap)))).toContain(name);
  });

  it.each(tamperedUnpublished)('$name: $how', async ({ name, tamper }) => {
    expect(brokenBy(tamper(await aTrueLog({}, rejected())))).toContain(name);
  });
});
