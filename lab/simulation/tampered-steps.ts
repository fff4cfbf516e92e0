import { isWrite, only, rewritten, type Tamper, without } from './tampering.ts';
import type { LogEntry } from './world/log.ts';
import type { MediaOrigin } from './world/media-origin.ts';

const stay = 'a completed step stays completed, and its outputs exist until the job ends';
const whole = 'a finished file is its whole input, encoded in a single pass or joined from all chunks of one plan';

const allOutputs =
  'a completed job of several steps lists each output that it delivers, unless the output has ended without a file';

const again = 'a completed step is not encoded again';

const isOfFirst = (entry: LogEntry) =>
  (entry.kind === 'object-stored' || entry.kind === 'object-removed') && entry.key.endsWith('/first/output.mp4');

/** The chunks of the first step are encoded once more at the end. */
const repeated: Tamper = (log) => {
  const [first] = only(log, 'encoded');
  const at = (log.at(-1)?.at ?? 0) + 60_000;
  return first === undefined ? log : [...log, { ...first, at, begunAt: at }];
};

/** For each invariant about the steps of a pipeline, logs of one in chunks that break it. */
export const tamperedSteps: { name: string; how: string; tamper: Tamper }[] = [
  {
    name: stay,
    how: 'the record forgets it',
    tamper: rewritten(() => ({ completedSteps: undefined }), isWrite('queued', 'processing')),
  },
  {
    name: stay,
    how: 'its outputs were not stored',
    tamper: without((entry) => entry.kind === 'object-stored' && isOfFirst(entry)),
  },
  {
    name: stay,
    how: 'its outputs are removed before the end',
    tamper: (log) =>
      log.flatMap((entry) =>
        entry.kind === 'object-stored' && isOfFirst(entry)
          ? [entry, { kind: 'object-removed' as const, at: entry.at, key: entry.key }]
          : [entry],
      ),
  },
  { name: again, how: 'after the end', tamper: repeated },
  { name: again, how: 'its output is stored once more', tamper: storedOnceMore },
  { name: allOutputs, how: 'the file of its last step is left out', tamper: withoutFile('output') },
  { name: allOutputs, how: 'the file of its named step is left out', tamper: withoutFile('first') },
  {
    name: whole,
    how: 'a step is left out',
    tamper: (log) =>
      log.map((entry) =>
        entry.kind === 'object-stored' && entry.key.endsWith('/output/output.mp4') && entry.made.kind === 'joined'
          ? { ...entry, made: withoutGeneration(entry.made) }
          : entry,
      ),
  },
];

function storedOnceMore(log: LogEntry[]): LogEntry[] {
  const first = log.find((entry) => entry.kind === 'object-stored' && isOfFirst(entry));
  return first === undefined ? log : [...log, { ...first, at: (log.at(-1)?.at ?? 0) + 60_000 }];
}

function withoutFile(name: string): Tamper {
  return rewritten((record) => {
    const files = record.state === 'completed' ? record.files : {};
    return { files: Object.fromEntries(Object.entries(files).filter(([each]) => each !== name)) };
  });
}

function withoutGeneration(made: MediaOrigin): MediaOrigin {
  if (made.kind === 'joined') {
    return { ...made, parts: made.parts.map((part) => ({ ...part, made: withoutGeneration(part.made) })) };
  }
  return 'generation' in made ? { ...made, generation: 1 } : made;
}
