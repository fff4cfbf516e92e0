import { chunkDefects } from '../../functions/join-chunks/chunk-results.ts';
import { isEnd, type Kind, more, only, rewritten, type Tamper, without } from './tampering.ts';
import type { LogEntry } from './world/log.ts';
import type { MediaOrigin } from './world/media-origin.ts';

type Joined = Extract<MediaOrigin, { kind: 'joined' }>;

const isFile = (made: MediaOrigin): made is Joined => made.kind === 'joined';

/** Replaces the joined file by another. */
const remade =
  (change: (made: Joined) => MediaOrigin): Tamper =>
  (log) =>
    log.map((entry) =>
      entry.kind === 'object-stored' && isFile(entry.made) ? { ...entry, made: change(entry.made) } : entry,
    );
const parts = (change: (parts: Joined['parts']) => Joined['parts']) =>
  remade((made) => ({ ...made, parts: change(made.parts) }));
const singlePass = remade((made) => ({
  kind: 'whole',
  url: made.parts[0]?.made.kind === 'chunk' ? made.parts[0].made.url : '',
}));

const endOf = (log: Parameters<Tamper>[0]) => only(log, 'written').find(isEnd) as Kind<'written'>;
const afterTerminalState =
  (kind: 'called' | 'execution' | 'encoded'): Tamper =>
  (log) => {
    const { at } = endOf(log);
    const lastOf = only(log, kind).at(-1);
    return log.map((entry) => (entry === lastOf ? { ...entry, at: at + 60_000 } : entry));
  };
const ends =
  (status: 'failed'): Tamper =>
  (log) =>
    log.flatMap((entry): LogEntry[] => {
      if (entry.kind !== 'execution') return isEnd(entry) ? [{ ...entry, at: entry.at + 3_600_000 }] : [entry];
      return entry.status === 'started' ? [entry, { ...entry, at: endOf(log).at, status }] : [];
    });

const requeued = (singlePassReason: string) =>
  rewritten(
    () => ({ state: 'queued', singlePassReason }),
    (entry) =>
      entry.kind === 'written' && entry.after.state === 'processing' && entry.after.chunkProgress !== undefined,
  );

const whole = 'a finished file is its whole input, encoded in a single pass or joined from all chunks of one plan';
const chunking = 'the chunking of a completed job matches its file: number of chunks, and reason for a single pass';
const withinLimit = 'an owner has no more chunk tasks in flight than its limit, and none at the end';
const isDeliveredTask = (entry: LogEntry) => entry.kind === 'task' && entry.status === 'delivered';
const ended = 'an execution ends, and without faults soon after its job';

/** For each invariant about chunks, logs of a chunked job that break it. */
export const tamperedChunks: { name: string; how: string; tamper: Tamper }[] = [
  { name: whole, how: 'a chunk is missing', tamper: parts(([, ...rest]) => rest) },
  {
    name: whole,
    how: 'a chunk occurs twice',
    tamper: parts(([first, , ...rest]) => [first, first, ...rest].filter((part) => part !== undefined)),
  },
  { name: whole, how: 'the audio is missing', tamper: parts((all) => all.slice(0, -1)) },
  {
    name: whole,
    how: 'the end of the audio is missing',
    tamper: parts((all) =>
      all.map((part) =>
        part.made.kind === 'audio' ? { ...part, made: { ...part.made, toSeconds: part.made.toSeconds - 1 } } : part,
      ),
    ),
  },
  {
    name: whole,
    how: 'a chunk belongs to another plan',
    tamper: parts((all) =>
      all.map((part, n) => (n === 1 ? { ...part, key: part.key.replace(/work\/[^/]+\/./, '$&0') } : part)),
    ),
  },
  {
    name: whole,
    how: 'a chunk belongs to another input',
    tamper: parts((all) =>
      all.map((part, n) =>
        n === 1 ? { ...part, made: { ...part.made, url: 'https://media.example/long/1' } as MediaOrigin } : part,
      ),
    ),
  },
  { name: whole, how: 'it is a chunk', tamper: remade(({ parts: [first] }) => first?.made as MediaOrigin) },
  { name: chunking, how: 'it was a single pass', tamper: singlePass },
  {
    name: chunking,
    how: 'another number',
    tamper: rewritten(() => ({ chunking: { chunks: 5, reason: 'The job requests speed' } })),
  },
  {
    name: chunking,
    how: 'a single pass without its reason',
    tamper: (log) => rewritten(() => ({ chunking: { chunks: 1, reason: 'It is short' } }))(singlePass(log)),
  },
  {
    name: 'an execution sends no task after its job has ended, without faults',
    how: 'a chunk task',
    tamper: afterTerminalState('called'),
  },
  {
    name: withinLimit,
    how: 'three at once',
    tamper: (log) => log.flatMap((entry) => (isDeliveredTask(entry) ? [entry, entry, entry] : [entry])),
  },
  {
    name: withinLimit,
    how: 'none is released',
    tamper: without((entry) => entry.kind === 'task' && entry.status === 'released'),
  },
  { name: ended, how: 'late', tamper: afterTerminalState('execution') },
  {
    name: ended,
    how: 'never',
    tamper: without((entry) => entry.kind === 'execution' && entry.status !== 'started'),
  },
  {
    name: 'a function that has returned leaves no work running',
    how: 'a chunk task',
    tamper: more(() => ({ kind: 'left-running', app: 'encode-chunk', invocation: 3, jobId: undefined })),
  },
  {
    name: 'a failed execution is noticed within seven minutes',
    how: 'after an hour',
    tamper: ends('failed'),
  },
  { name: 'a worker stops once its job has ended', how: 'ffmpeg', tamper: afterTerminalState('encoded') },
  {
    name: 'chunk tasks and their join write only to their own attempt',
    how: 'a worker',
    tamper: (log) =>
      log.map((entry) => {
        if (!isEnd(entry) || entry.kind !== 'written') return entry;
        return { ...entry, before: { ...entry.before, execution: undefined } as never };
      }),
  },
  {
    name: 'an execution is recorded in its job before it is started',
    how: 'by another name',
    tamper: (log) => log.map((entry) => (entry.kind === 'execution' ? { ...entry, name: `${entry.name}0` } : entry)),
  },
  ...Object.values(chunkDefects).map((defect) => ({
    name: 'the files of a finished chunk exist',
    how: `a chunk ${defect}`,
    tamper: requeued(`Chunk 2 ${defect}`),
  })),
  {
    name: 'a finished chunk is not encoded again',
    how: 'a minute later',
    tamper: more((log) => {
      const encoded = only(log, 'encoded')[0];
      return { ...encoded, begunAt: (encoded?.begunAt ?? 0) + 60_000 };
    }),
  },
  {
    name: 'work files are removed soon after the end, without faults',
    how: 'after a minute',
    tamper: (log) =>
      log.map((entry) => (entry.kind === 'object-removed' ? { ...entry, at: entry.at + 60_000 } : entry)),
  },
  {
    name: 'a requeued job is claimed within a minute, without faults',
    how: 'never',
    tamper: requeued('The joined file has 3 frames'),
  },
  {
    name: 'progress never falls',
    how: 'by a progress write',
    tamper: (log) =>
      log.map((entry) =>
        entry.kind === 'recorded' ? { ...entry, before: { ...entry.before, progress: 94 } as never } : entry,
      ),
  },
];
