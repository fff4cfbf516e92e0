import type { JobRecord } from '../../core/jobs/record.ts';
import { isEnd, isWrite, last, more, only, rewritten, type Tamper, without } from './tampering.ts';
import type { LogEntry } from './world/log.ts';

/** Two more jobs hold the worker of a stage with one, with changed fields. */
function claimedBeside(change: (at: number) => Partial<JobRecord>): Tamper {
  return (log) => {
    const claim = only(log, 'written').find(isWrite('queued', 'processing'));
    if (claim === undefined) throw new Error('The job was claimed');
    const others = ['first', 'second'].map((jobId) => {
      const after = { ...claim.after, ...change(claim.at), jobId } as JobRecord;
      return { ...claim, after };
    });
    return [...others, ...log.map((entry) => (entry.kind === 'running' ? { ...entry, workers: 1 } : entry))];
  };
}

/** Logs of one job with breaches of the invariants of limits, usage and cost, by invariant. */
export const tamperedLimits: Record<string, Tamper> = {
  'no owner has more running jobs than its limit': (log) =>
    log.map((entry) => (entry.kind === 'running' ? { ...entry, max: 0 } : entry)),
  'a claimed attempt counts as a running job': without((entry) => entry.kind === 'running'),
  'an ended attempt does not count, without faults': without(
    (entry) => entry.kind === 'running' && entry.entries.length === 0,
  ),
  'no owner takes more than its share of the workers while a job of another waits': (log) => {
    const claim = log.find(isWrite('queued', 'processing'));
    const created = log.find(isWrite(undefined, 'queued'));
    const of = (entry: LogEntry | undefined, jobId: string, ownerId: string, at: number) =>
      entry?.kind === 'written' ? [{ ...entry, at, after: { ...entry.after, jobId, ownerId } } as LogEntry] : [];
    const at = claim?.at ?? 0;
    return [
      ...of(created, 'waiting', 'owner-2', at - 60_000),
      ...of(claim, 'slow', 'owner-1', at),
      ...log.map((entry) => (entry.kind === 'running' ? { ...entry, workers: 1 } : entry)),
    ];
  },
  'no more long jobs hold a worker than may run': claimedBeside(() => ({ queue: 'long' })),
  'a job that its probe shows to be long counts under the limit, without faults': (log) =>
    log.map((entry) => {
      if (entry.kind !== 'written' || !('request' in entry.after)) return entry;
      const request = { ...entry.after.request, input: { url: 'https://media.example/lengthy/9' } };
      return { ...entry, after: { ...entry.after, request }, at: entry.at + (isEnd(entry) ? 90_000 : 0) };
    }),
  'no more jobs hold a worker for over two minutes than may run': claimedBeside((at) => ({
    claimedAt: new Date(at - 600_000).toISOString(),
  })),
  'a long job is claimed within a minute once the limit has room and a worker is free, without faults': (log) => {
    const created = only(log, 'written').find(isWrite(undefined, 'queued'));
    if (created === undefined) throw new Error('The job was created');
    const after = { ...created.after, jobId: 'waiting', queue: 'long' } as JobRecord;
    return [{ ...created, at: created.at - 90_000, after }, ...log];
  },
  'a job that is known to be long is not requeued for the limit again': more((log) => {
    const claim = only(log, 'written').find(isWrite('queued', 'processing'));
    return { ...claim, before: { ...claim?.after, queue: 'long' }, after: claim?.before };
  }),
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
};
