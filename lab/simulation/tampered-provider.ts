import { isEnd, more, only, rewritten, type Tamper, without } from './tampering.ts';
import type { LogEntry } from './world/log.ts';

const begun = (log: LogEntry[]) => only(log, 'provider-begun')[0];
const published = (log: LogEntry[]) => only(log, 'provider-published')[0];

/** The file becomes visible only after the end of its job. */
const publishedLate: Tamper = (log) => {
  const isPublished = ({ kind }: LogEntry) => kind === 'provider-published';
  const at = (log.find(isEnd)?.at ?? 0) + 60_000;
  return [...without(isPublished)(log), ...log.filter(isPublished).map((entry) => ({ ...entry, at }))];
};

const visible = 'every file of a completed job is visible at its storage provider when the job is completed, and stays';
const nothingLeft = 'at a storage provider no unfinished upload is left, and no file of a job that is not completed';

/** For each invariant about storage providers, logs of a job with one that break it. */
export const tamperedProvider: { name: string; how: string; tamper: Tamper }[] = [
  { name: visible, how: 'never', tamper: without(({ kind }) => kind === 'provider-published') },
  { name: visible, how: 'late', tamper: publishedLate },
  {
    name: visible,
    how: 'removed',
    tamper: more((log) => ({ ...published(log), kind: 'provider-unpublished' })),
  },
  {
    name: nothingLeft,
    how: 'an upload',
    tamper: more((log) => ({ ...begun(log), uploadId: 'another' })),
  },
  {
    name: nothingLeft,
    how: 'a file of another name',
    tamper: more((log) => ({ ...published(log), key: 'another.mp4' })),
  },
  {
    name: 'the files of one attempt only become visible',
    how: 'two publications',
    tamper: more((log) => ({ ...published(log), mark: `${published(log)?.mark}2` })),
  },
  {
    name: 'no job fails because of its storage provider while its files are visible there, unless these were rejected',
    how: 'failed',
    tamper: rewritten(() => ({ state: 'failed', error: { code: 'UPLOAD_ERROR' } })),
  },
];

/** For each invariant about unpublished files, logs of a job that failed with UPLOAD_ERROR that break it. */
export const tamperedUnpublished: { name: string; how: string; tamper: Tamper }[] = [
  {
    name: 'every file that waits for a retry exists',
    how: 'removed',
    tamper: more((log) => ({ ...only(log, 'object-stored').at(-1), kind: 'object-removed' })),
  },
  {
    name: 'no object of a superseded attempt remains after the sweep',
    how: 'a file of another attempt',
    tamper: more((log) => {
      const stored = only(log, 'object-stored').at(-1);
      return { ...stored, key: stored?.key.replace('/1/', '/2/') };
    }),
  },
];
