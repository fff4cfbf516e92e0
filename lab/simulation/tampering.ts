import type { JobRecord } from '../../core/jobs/record.ts';
import type { LogEntry, Posted } from './world/log.ts';

export type Kind<K extends LogEntry['kind']> = Extract<LogEntry, { kind: K }>;

/** Changes a true log so that an invariant is broken. */
export type Tamper = (log: LogEntry[]) => LogEntry[];

export const only = <K extends LogEntry['kind']>(log: LogEntry[], kind: K) =>
  log.filter((entry): entry is Kind<K> => entry.kind === kind);
export const objects = (log: LogEntry[]) => only(log, 'object-stored');
export const isEnd = (entry: LogEntry) =>
  entry.kind === 'written' && entry.before?.state === 'processing' && entry.after.state === 'completed';
export const without =
  (drop: (entry: LogEntry) => boolean): Tamper =>
  (log) =>
    log.filter((entry) => !drop(entry));
export const repeat =
  (which: (entry: LogEntry) => boolean): Tamper =>
  (log) =>
    log.flatMap((entry) => (which(entry) ? [entry, entry] : [entry]));
export const rewritten =
  (change: (record: JobRecord) => object, which = isEnd): Tamper =>
  (log) =>
    log.map((entry) => {
      if (entry.kind !== 'written' || !which(entry)) return entry;
      return { ...entry, after: { ...entry.after, ...change(entry.after) } as JobRecord };
    });
export const reposted =
  (change: Partial<Posted>): Tamper =>
  (log) =>
    log.map((entry) => (entry.kind === 'posted' ? { ...entry, post: { ...entry.post, ...change } } : entry));
export const isWrite = (from: string | undefined, to: string) => (entry: LogEntry) =>
  entry.kind === 'written' && entry.before?.state === from && entry.after.state === to;
export const last =
  (change: (record: JobRecord) => object): Tamper =>
  (log) => {
    const lastWrite = only(log, 'written').at(-1);
    return rewritten(change, (entry) => entry === lastWrite)(log);
  };
export const more =
  (entry: (log: LogEntry[]) => object): Tamper =>
  (log) => [...log, entry(log) as LogEntry];

/** A service was down when a worker called it. */
export function afterOutage(tamper: Tamper): Tamper {
  return (log) => {
    const { jobId } = only(log, 'accepted')[0] ?? {};
    const outage = { kind: 'fault', fault: 'outage', app: 'transcode', effect: 'files.upload', jobId };
    return [{ ...outage, at: 0, invocation: 1 } as LogEntry, ...tamper(log)];
  };
}
