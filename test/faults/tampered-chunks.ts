import type { LogEntry } from './simulation/log.ts';
import type { MediaOrigin } from './simulation/media-origin.ts';
import { isEnd, type Kind, more, only, rewritten, type Tamper, without } from './tampering.ts';

type Joined = Extract<MediaOrigin, { kind: 'joined' }>;

const isFile = (made: MediaOrigin): made is Joined => made.kind === 'joined';

/** Puts another file in the place of the joined one. */
const remade =
  (change: (made: Joined) => MediaOrigin): Tamper =>
  (log) =>
    log.map((entry) =>
      entry.kind === 'object-stored' && isFile(entry.made) ? { ...entry, made: change(entry.made) } : entry,
    );
const parts = (change: (parts: Joined['parts']) => Joined['parts']) =>
  remade((made) => ({ ...made, parts: change(made.parts) }));
const onePiece = remade((made) => ({
  kind: 'whole',
  url: made.parts[0]?.made.kind === 'chunk' ? made.parts[0].made.url : '',
}));

const endOf = (log: Parameters<Tamper>[0]) => only(log, 'written').find(isEnd) as Kind<'written'>;
const afterTheEnd =
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
      if (entry.kind !== 'execution')
        return isEnd(entry) ? [{ ...entry, at: entry.at + 3_600_000 }] : [entry];
      return entry.status === 'started' ? [entry, { ...entry, at: endOf(log).at, status }] : [];
    });

const goingBack = (singlePassReason: string) =>
  rewritten(
    () => ({ state: 'queued', singlePassReason }),
    (entry) =>
      entry.kind === 'written' &&
      entry.after.state === 'processing' &&
      entry.after.chunkProgress !== undefined,
  );

const whole = 'a finished file is its whole input, encoded in one piece or joined from all parts of one plan';
const chunking = 'a completed job says truly in how many chunks it was encoded, and why in one piece';
const ended = 'an execution ends, and soon after its job where nothing fails';

/** For each invariant that is about parts, logs of a job in parts that break it. */
export const tamperedChunks: { name: string; how: string; tamper: Tamper }[] = [
  { name: whole, how: 'a chunk is missing', tamper: parts(([, ...rest]) => rest) },
  {
    name: whole,
    how: 'a chunk stands twice',
    tamper: parts(([first, , ...rest]) => [first, first, ...rest].filter((part) => part !== undefined)),
  },
  { name: whole, how: 'the sound is missing', tamper: parts((all) => all.slice(0, -1)) },
  {
    name: whole,
    how: 'a chunk is that of another plan',
    tamper: parts((all) =>
      all.map((part, n) => (n === 1 ? { ...part, key: part.key.replace(/work\/[^/]+\/./, '$&0') } : part)),
    ),
  },
  {
    name: whole,
    how: 'a chunk is that of another input',
    tamper: parts((all) =>
      all.map((part, n) =>
        n === 1
          ? { ...part, made: { ...part.made, url: 'https://media.example/long/1' } as MediaOrigin }
          : part,
      ),
    ),
  },
  { name: whole, how: 'it is a part', tamper: remade(({ parts: [first] }) => first?.made as MediaOrigin) },
  { name: chunking, how: 'it was one piece', tamper: onePiece },
  {
    name: chunking,
    how: 'another number',
    tamper: rewritten(() => ({ chunking: { chunks: 5, reason: 'The job asks for speed' } })),
  },
  {
    name: chunking,
    how: 'one piece for no reason',
    tamper: (log) => rewritten(() => ({ chunking: { chunks: 1, reason: 'It is short' } }))(onePiece(log)),
  },
  {
    name: 'an execution calls nobody once its job is over, where nothing fails',
    how: 'a part',
    tamper: afterTheEnd('called'),
  },
  { name: ended, how: 'late', tamper: afterTheEnd('execution') },
  {
    name: ended,
    how: 'never',
    tamper: without((entry) => entry.kind === 'execution' && entry.status !== 'started'),
  },
  {
    name: 'a function that has ended goes on with nothing',
    how: 'a part',
    tamper: more(() => ({ kind: 'left-running', app: 'encode-chunk', invocation: 3, jobId: undefined })),
  },
  {
    name: 'an execution that failed is noticed within seven minutes',
    how: 'after an hour',
    tamper: ends('failed'),
  },
  { name: 'a worker stops once its job is over', how: 'ffmpeg', tamper: afterTheEnd('encoded') },
  {
    name: 'parts and their joiner write over no attempt but their own',
    how: 'a worker',
    tamper: (log) =>
      log.map((entry) => {
        if (!isEnd(entry) || entry.kind !== 'written') return entry;
        return { ...entry, before: { ...entry.before, execution: undefined } as never };
      }),
  },
  {
    name: 'an execution is started only where its job names it',
    how: 'by another name',
    tamper: (log) =>
      log.map((entry) => (entry.kind === 'execution' ? { ...entry, name: `${entry.name}0` } : entry)),
  },
  { name: 'what a part says that it left is there', how: 'a chunk', tamper: goingBack('Chunk 2 is missing') },
  {
    name: 'a part that is finished is not encoded again',
    how: 'a minute later',
    tamper: more((log) => {
      const encoded = only(log, 'encoded')[0];
      return { ...encoded, begunAt: (encoded?.begunAt ?? 0) + 60_000 };
    }),
  },
  {
    name: 'what parts left for each other is removed soon after the end, where nothing fails',
    how: 'after a minute',
    tamper: (log) =>
      log.map((entry) => (entry.kind === 'object-removed' ? { ...entry, at: entry.at + 60_000 } : entry)),
  },
  {
    name: 'a job that goes back is taken up again within a minute, where nothing fails',
    how: 'never',
    tamper: goingBack('The joined file has 3 pictures'),
  },
  {
    name: 'progress never falls',
    how: 'by a note',
    tamper: (log) =>
      log.map((entry) =>
        entry.kind === 'recorded' ? { ...entry, before: { ...entry.before, progress: 94 } as never } : entry,
      ),
  },
];
