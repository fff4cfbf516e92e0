import {
  type ChunkPlan,
  type ChunkTask,
  chunkTasks,
  type StoredObject,
  taskFileCount,
} from '../../core/chunking/plan/chunk-plan.ts';
import { chunkKeys } from '../../core/chunking/plan/work-keys.ts';
import {
  type ChunkResult,
  chunkFailureSchema,
  chunkResultSchema,
} from '../../core/chunking/verify/chunk-result.ts';
import type { RunRecord } from '../../core/media/ffmpeg/ports.ts';
import { mapConcurrent } from '../worker/map-concurrent.ts';
import type { WorkerDeps } from '../worker/worker-deps.ts';
import { JoinMismatchError } from './join-mismatch.ts';

/** A part that is finished: where its files lie, by their numbers, and what was measured of them. */
export type EncodedChunk = { files: StoredObject[]; result: ChunkResult };

type Given = { plan: ChunkPlan; planKey: string };

/** Each takes a request for its result and one for each of its files. */
const foundAtOnce = 16;

/**
 * The finished parts of a plan, in their order.
 * @throws JoinMismatchError where one is missing, or is not what a part leaves
 */
export function loadChunkResults(
  { workFiles }: WorkerDeps,
  { plan, planKey }: Given,
): Promise<EncodedChunk[]> {
  const parts = [...chunkTasks(plan.work).entries()];
  return mapConcurrent(parts, foundAtOnce, async ([number, part]) => {
    const { fileKey, resultKey } = chunkKeys(planKey, number);
    const keys = Array.from({ length: taskFileCount(plan.work, part) }, (_, file) => fileKey(file));
    const [text, ...found] = await Promise.all([
      workFiles.readText(resultKey),
      ...keys.map(async (key) => ({ key, etag: (await workFiles.find(key))?.etag })),
    ]);
    const files = found.flatMap(({ key, etag }) => (etag === undefined ? [] : { key, etag }));
    if (text === undefined || files.length < keys.length) {
      throw new JoinMismatchError(`${nameOf(number, part)} is missing`);
    }
    const result = read(text);
    if (result === undefined || measuredFiles(result, part) !== files.length) {
      throw new JoinMismatchError(`${nameOf(number, part)} was left without being measured`);
    }
    return { files, result };
  });
}

/** Why the parts of a plan were not all encoded, as far as they say so, and what ffmpeg was asked and said for them. */
export async function loadChunkFailures(
  { workFiles }: WorkerDeps,
  { plan, planKey }: Given,
): Promise<{ reasons: string[]; runs: RunRecord[] }> {
  const parts = [...chunkTasks(plan.work).entries()];
  const found = await mapConcurrent(parts, foundAtOnce, async ([number, part]) => {
    const keys = chunkKeys(planKey, number);
    const [result, failure] = await Promise.all([
      workFiles.readText(keys.resultKey),
      workFiles.readText(keys.failureKey),
    ]);
    if (result !== undefined || failure === undefined) return { runs: (result && read(result)?.runs) || [] };
    const { message, runs } = chunkFailureSchema.parse(JSON.parse(failure));
    return { reason: `${nameOf(number, part)} could not be encoded: ${message}`, runs };
  });
  return {
    reasons: found.flatMap(({ reason }) => reason ?? []),
    runs: found.flatMap(({ runs }) => runs),
  };
}

function nameOf(number: number, { kind }: ChunkTask): string {
  return kind === 'audio' ? 'The sound' : `Chunk ${number + 1}`;
}

function measuredFiles({ audio, renditions = [] }: ChunkResult, { kind }: ChunkTask): number {
  if (kind === 'chunk') return renditions.length;
  return audio === undefined ? 0 : 1;
}

/** Undefined for a text that no part leaves. */
function read(text: string): ChunkResult | undefined {
  try {
    return chunkResultSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
