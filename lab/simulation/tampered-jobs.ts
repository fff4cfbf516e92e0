import type { JobRecord } from '../../core/jobs/record.ts';
import {
  afterOutage,
  isEnd,
  isWrite,
  last,
  more,
  objects,
  only,
  repeat,
  rewritten,
  type Tamper,
  without,
} from './tampering.ts';
import { contentKeyInClear } from './workload/work-of-script.ts';
import type { LogEntry } from './world/log.ts';

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

/** Logs of one job with breaches of the invariants of its states, its worker and its files, by invariant. */
export const tamperedJobs: Record<string, Tamper> = {
  'an outage alone fails no accepted job, and requeues it once at most': afterOutage(
    rewritten(() => ({ state: 'failed', error: { code: 'UPLOAD_ERROR' } }), isEnd),
  ),
  'every accepted job ends': without((entry) => isEnd(entry) || isWrite('completed', 'completed')(entry)),
  'each job has one terminal write': repeat(isEnd),
  'a terminal state is final': last(() => ({ completedAt: '2026-03-02T00:00:00.000Z' })),
  'every transition is legal': rewritten(() => ({ state: 'cancelled' }), isWrite(undefined, 'queued')),
  'each change of state is an event, listed once': without(({ kind }) => kind === 'announced'),
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
  'an accepted job is claimed within a minute, or two if its message was not sent, without later faults': (log) =>
    log.map((entry) => (isWrite('queued', 'processing')(entry) ? { ...entry, at: entry.at + 90_000 } : entry)),
  'no dueAt remains': last(() => ({ dueAt: '2026-03-01T13:00:00.000Z' })),
  'each idempotency key has one job': more((log) => ({ ...only(log, 'accepted')[0], jobId: 'another' })),
  'reconcile changes no job before its dueAt': (log) =>
    log.map((entry) => (isEnd(entry) ? ({ ...entry, app: 'reconcile' } as LogEntry) : entry)),
  'every listed file of a completed job exists': without((entry) => entry.kind === 'object-stored'),
  'no object of a superseded attempt remains after the sweep': more((log) => ({
    ...objects(log)[0],
    key: objects(log)[0]?.key.replace('/1/', '/2/'),
  })),
  'the record of an encrypted stream has its content key while it, or a retry, may be encoded': rewritten(
    ({ jobId }) => ({ contentKey: { jobId, encrypted: `sealed@owner-1/${jobId}` } }),
  ),
  'no record has a content key in clear, and each opens for its owner': last(() => ({
    contentKey: contentKeyInClear,
  })),
  'no log of a deleted job remains after the sweep': last(() => ({ state: 'deleted' })),
  "no owner sees another's data": (log) =>
    log.map((entry) => (entry.kind === 'listed' ? { ...entry, ownerId: 'owner-2' } : entry)),
  'a list by state shows jobs that were in that state when it was read': (log) =>
    log.map((entry) => (entry.kind === 'listed' ? { ...entry, at: 0 } : entry)),
  'a killed worker is replaced within two minutes': lateRescue('transcode', 180_000),
  'the job of a killed Fargate task is requeued or ends within seven minutes': lateRescue('fargate-task', 480_000),
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
