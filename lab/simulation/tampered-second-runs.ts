import { more, objects, only, repeat, type Tamper } from './tampering.ts';
import type { LogEntry } from './world/log.ts';

const isTask = (chunk: number) => (entry: LogEntry) => entry.kind === 'task' && entry.chunk === chunk;

/** Another run of the first chunk, which is delivered and released so many milliseconds after the first one. */
const rerun =
  ({ delivered, released }: { delivered: number; released: number }): Tamper =>
  (log) =>
    log
      .flatMap((entry): LogEntry[] => {
        if (entry.kind !== 'task' || !isTask(0)(entry)) return [entry];
        const lateMs = entry.status === 'delivered' ? delivered : released;
        return [entry, { ...entry, delivery: `${entry.delivery}/${released}`, at: entry.at + lateMs }];
      })
      .sort((one, other) => one.at - other.at);

const isResult = ({ key }: { key: string }) => /^work\/.*\/0\.json$/.test(key);
const both =
  (...tampers: Tamper[]): Tamper =>
  (log) =>
    tampers.reduce((changed, tamper) => tamper(changed), log);

/** For each invariant about the runs of a chunk, logs of a chunked job that break it. */
export const tamperedSecondRuns: { name: string; how: string; tamper: Tamper }[] = [
  {
    name: 'of all runs of a chunk the first result counts',
    how: 'two results',
    tamper: repeat((entry) => entry.kind === 'object-stored' && isResult(entry)),
  },
  {
    name: 'a chunk is encoded twice at most, and the second time is no longer than the first, without faults',
    how: 'three times',
    tamper: both(rerun({ delivered: 1, released: 1 }), rerun({ delivered: 2, released: 2 })),
  },
  {
    name: 'a chunk is encoded twice at most, and the second time is no longer than the first, without faults',
    how: 'longer',
    tamper: rerun({ delivered: 1, released: 60_000 }),
  },
  {
    name: 'a run of a chunk ends soon after another one has stored the result, without faults',
    how: 'after a minute',
    tamper: rerun({ delivered: 1, released: 60_000 }),
  },
  {
    name: 'a run of a chunk leaves no files that no result names, without faults',
    how: 'a file',
    tamper: more((log) => {
      const stored = objects(log).find(isResult);
      return { ...stored, key: stored?.key.replace('.json', '-another-0') };
    }),
  },
  {
    name: 'a chunk fails only if no run of it goes on, without faults',
    how: 'while it is encoded',
    tamper: (log) => {
      const delivered = only(log, 'task').find(({ chunk, status }) => chunk === 0 && status === 'delivered');
      const write = only(log, 'written').at(-1);
      const after = {
        ...write?.after,
        state: 'queued',
        singlePassReason: 'Chunk 1 could not be encoded: It is late.',
      };
      return [...log, { ...write, after, at: (delivered?.at ?? 0) + 1 } as never];
    },
  },
  {
    name: 'one slow function delays its job by a few times the time of a chunk, without faults',
    how: 'by an hour',
    tamper: (log) =>
      log.map((entry) =>
        entry.kind === 'object-stored' && isResult(entry) ? { ...entry, at: entry.at + 3_600_000 } : entry,
      ),
  },
];
