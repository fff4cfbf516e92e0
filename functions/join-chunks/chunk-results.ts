import {
  type ChunkPlan,
  type ChunkResult,
  type ChunkTask,
  chunkFailureSchema,
  chunkTasks,
  parseChunkResult,
  type StoredObject,
  taskFileCount,
} from '@media-jobs/video/chunking';
import { encodingsByCodec } from '@media-jobs/video/encoding';
import type { RunRecord } from '@media-jobs/video/ffmpeg';
import { mapConcurrent } from '../../core/async.ts';
import { chunkKeys } from '../../core/jobs/stored-file.ts';
import type { WorkerPorts } from '../../core/worker/ports.ts';
import { JoinMismatchError } from './join.ts';

/** A finished task: its encoded files by their numbers, and its result. */
export type EncodedChunk = { files: EncodedFile[]; result: ChunkResult };

export type EncodedFile = StoredObject & { sizeBytes: number };

type StoredPlan = { plan: ChunkPlan; planKey: string };

// Each task takes one request for its result, and then one per file.
const maxConcurrentTasks = 32;

/** How a finished task can be incomplete: the ends of sentences that begin with the name of the task. */
export const chunkDefects = { missing: 'is missing', unmeasured: 'has no valid measurements' } as const;

/**
 * The finished tasks of a plan, in the order of their numbers.
 * @throws JoinMismatchError if a task has no result, or its result does not match its files
 */
export function loadChunkResults({ files }: WorkerPorts, { plan, planKey }: StoredPlan): Promise<EncodedChunk[]> {
  const tasks = [...chunkTasks(plan.work).entries()];
  return mapConcurrent(tasks, maxConcurrentTasks, async ([number, task]) => {
    const { fileKey, resultKey } = chunkKeys(planKey, number);
    const fileCount = taskFileCount(task);
    const text = await files.readText(resultKey);
    if (text === undefined) throw new JoinMismatchError(`${taskName(plan, task)} ${chunkDefects.missing}`);
    const result = parseChunkResult(text);
    if (result === undefined || measuredFileCount(result, task) !== fileCount) {
      throw new JoinMismatchError(`${taskName(plan, task)} ${chunkDefects.unmeasured}`);
    }
    const keys = Array.from({ length: fileCount }, (_, file) => fileKey(result.runId, file));
    const found = await Promise.all(keys.map(async (key) => ({ key, found: await files.find(key) })));
    const encoded = found.flatMap(({ key, found }) => (found === undefined ? [] : { key, ...found }));
    if (encoded.length < fileCount) throw new JoinMismatchError(`${taskName(plan, task)} ${chunkDefects.missing}`);
    return { files: encoded, result };
  });
}

/** Why chunks were not encoded or joined, as sentences for the job's owner. None is known if the service failed. */
export type FailureReasons = {
  /** The chunks would fail again. */
  permanent?: string | undefined;
  /** Chunks may succeed the next time. */
  transient?: string | undefined;
};

type ChunkFailures = FailureReasons & { sourceGone?: string | undefined; runs: RunRecord[] };

/**
 * The first failures that tasks of a plan stored, as sentences, and the ffmpeg runs of all tasks. `sourceGone` is the message
 * of a task whose source is gone.
 */
export async function loadChunkFailures({ files }: WorkerPorts, { plan, planKey }: StoredPlan): Promise<ChunkFailures> {
  const tasks = [...chunkTasks(plan.work).entries()];
  const found: ChunkFailures[] = await mapConcurrent(tasks, maxConcurrentTasks, async ([number, task]) => {
    const keys = chunkKeys(planKey, number);
    const [result, failure] = await Promise.all([files.readText(keys.resultKey), files.readText(keys.failureKey)]);
    if (result !== undefined || failure === undefined) {
      return { runs: (result && parseChunkResult(result)?.runs) || [] };
    }
    const { message, isSourceGone, isTransient, runs } = chunkFailureSchema.parse(JSON.parse(failure));
    const sentence = `${taskName(plan, task)} could not be encoded: ${message}`;
    const why = isTransient ? { transient: sentence } : { permanent: sentence };
    return { ...why, sourceGone: isSourceGone && message, runs };
  });
  return {
    permanent: found.find(({ permanent }) => permanent)?.permanent,
    transient: found.find(({ transient }) => transient)?.transient,
    sourceGone: found.find(({ sourceGone }) => sourceGone)?.sourceGone,
    runs: found.flatMap(({ runs }) => runs),
  };
}

function taskName({ work: { chunks, encoding } }: ChunkPlan, task: ChunkTask): string {
  if (task.kind === 'chunk') {
    const name = `Chunk ${chunks.indexOf(task.chunk) + 1}`;
    return encodingsByCodec(encoding).length === 1 ? name : `${name} in ${task.encoding.codec}`;
  }
  if (task.kind === 'measurement') return 'The measurement of a chunk';
  return task.chunk === undefined ? 'The audio' : 'A chunk of the audio';
}

function measuredFileCount({ audio = [], renditions = [] }: ChunkResult, { kind }: ChunkTask): number {
  return kind === 'audio' ? audio.length : renditions.length;
}
