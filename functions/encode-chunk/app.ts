import { chunkTasks } from '../../core/chunking/plan/chunk-plan.ts';
import { chunkKeys } from '../../core/chunking/plan/work-keys.ts';
import type { ChunkFailure, ChunkResult } from '../../core/chunking/verify/chunk-result.ts';
import { JobError } from '../../core/errors.ts';
import { removeWorkFiles } from '../chunked/remove-work-files.ts';
import { type EncodeTask, readChunkPlan } from '../chunked/task.ts';
import { openTemporaryWorkspace } from '../chunked/temporary-workspace.ts';
import { type Watch, watchJob } from '../chunked/watch-job.ts';
import { recordRuns } from '../worker/run-log.ts';
import type { ChunkWorkerDeps } from '../worker/worker-deps.ts';
import { encodeChunkTask } from './encode.ts';

export type EncodeChunkResult = 'done' | 'lost';

/**
 * Encodes one part of a job, before `deadline`, and leaves it beside the plan; one that lies there already is done. A
 * job that has ended meanwhile, or is another worker's, is dropped.
 * @throws JobError what ended the encoding; any other error is of the stage and worth another try
 */
export function encodeChunk(
  ports: ChunkWorkerDeps,
): (task: EncodeTask, deadline: Date) => Promise<EncodeChunkResult> {
  return async (task, deadline) => {
    const watch = await watchJob(ports, task);
    let isDone = false;
    try {
      isDone = watch !== undefined && (await keepPart(ports, task, { watch, deadline }));
    } finally {
      // Also where it failed: perhaps it was the first to miss what others removed, since the job has ended.
      if (!isDone) await removeWorkFiles(ports, task);
    }
    return isDone ? 'done' : 'lost';
  };
}

type Context = { watch: Watch; deadline: Date };

/** False where the job was taken away meanwhile, whatever became of the part. */
async function keepPart(ports: ChunkWorkerDeps, task: EncodeTask, context: Context): Promise<boolean> {
  const { watch } = context;
  try {
    await leavePart(ports, task, context);
    watch.report(100);
  } catch (cause) {
    if (!watch.signal.aborted) throw cause;
  } finally {
    await watch.end();
  }
  return !watch.signal.aborted;
}

/** The result comes last, and says that all of the part is there. */
async function leavePart(
  ports: ChunkWorkerDeps,
  task: EncodeTask,
  { watch, deadline }: Context,
): Promise<void> {
  const { workFiles, files, encoder: plainEncoder } = ports;
  const keys = chunkKeys(task.planKey, task.chunk);
  if ((await workFiles.readText(keys.resultKey)) !== undefined) return;
  const plan = await readChunkPlan(ports, task);
  const part = chunkTasks(plan.work)[task.chunk];
  if (part === undefined) throw new Error(`The plan at ${task.planKey} has no part ${task.chunk}`);
  const { encoder, runs } = recordRuns(plainEncoder);
  await using opened = await openTemporaryWorkspace(ports, task);
  const directory = await opened.workspace.makeDirectory('part');
  const { signal, report } = watch;
  const given = { plan, part, directory };
  const encoding = encodeChunkTask({ ...ports, encoder }, given, { signal, deadline, report });
  const { paths, found } = await encoding.catch(async (cause: unknown) => {
    // For the joiner, which tells the owner.
    if (cause instanceof JobError && !signal.aborted) {
      const failure: ChunkFailure = { message: cause.message, runs: [...runs] };
      await workFiles.writeText(keys.failureKey, JSON.stringify(failure));
    }
    throw cause;
  });
  for (const [file, path] of paths.entries()) {
    await files.upload({ path, key: keys.fileKey(file), mimeType: 'application/octet-stream', signal });
  }
  const result: ChunkResult = { ...found, runs: [...runs] };
  signal.throwIfAborted();
  await workFiles.writeText(keys.resultKey, JSON.stringify(result));
}
