import { type ChunkTask, type ChunkTaskSource, chunkTasks } from './chunk-tasks.ts';

/** The time and the progress of a run of a task until now. */
export type RunProgress = { ms: number; percent: number };

/** Of the tasks of an encode, by number: their progress in percent, and how long those took that have ended. */
type TaskTimes = {
  chunkProgress?: Readonly<Record<string, number>> | undefined;
  taskMs?: Readonly<Record<string, number>> | undefined;
};

/** A run is compared with so many ended tasks of its kind at least. */
const minSiblings = 2;

/** A sibling that ended sooner has encoded nothing: it found the result of an earlier attempt. */
const minSiblingMs = 500;

/** A shorter run is not worth the start of another function. */
const minMs = 30_000;

/** Half of the time of a function: another run, which would begin then, has the other half to end before this one stops. */
const maxMs = 420_000;

/**
 * Whether a run of task `number` is late, and another one that starts now would probably end before it. It is late if it
 * takes over twice as long as its siblings, the tasks of its kind that have ended, took for the same share of the work. The
 * time that it still needs follows from its progress (Zaharia et al., OSDI 2008): a task that has more work than was
 * planned is late too, and another run of it would not end sooner.
 */
export function isStraggler(
  work: ChunkTaskSource,
  number: number,
  { ms, percent }: RunProgress,
  { chunkProgress = {}, taskMs = {} }: TaskTimes,
): boolean {
  if (ms < minMs) return false;
  const tasks = chunkTasks(work);
  const task = tasks[number];
  if (task === undefined) return false;
  const siblings = [...tasks.entries()].filter(
    ([other, sibling]) =>
      other !== number &&
      kindOf(sibling) === kindOf(task) &&
      chunkProgress[other] === 100 &&
      (taskMs[other] ?? 0) >= minSiblingMs,
  );
  if (siblings.length < minSiblings) return false;
  const expectedMs =
    shareOf(task) * median(siblings.map(([other, sibling]) => (taskMs[other] ?? 0) / shareOf(sibling)));
  const remainingMs = (ms * (100 - percent)) / Math.max(percent, 1);
  return ms > Math.min(2 * expectedMs, maxMs) && remainingMs > expectedMs;
}

/** Chunks in another codec take another time. */
function kindOf(task: ChunkTask): string {
  return task.kind === 'chunk' ? task.encoding.codec : task.kind;
}

/** The share of a task in the work of its kind. Chunks of the audio are equally long. */
function shareOf(task: ChunkTask): number {
  return task.kind === 'audio' ? 1 : task.chunk.costShare;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
