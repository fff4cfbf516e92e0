import type { PartFailure, PartResult } from '../../core/chunks/part-result.ts';
import { partsOf } from '../../core/chunks/parts-plan.ts';
import type { WorkFiles } from '../../core/chunks/ports.ts';
import { partKeys } from '../../core/chunks/work-keys.ts';
import { JobError } from '../../core/errors.ts';
import type { MediaFiles } from '../../core/jobs/ports.ts';
import { openedWorkspace, type WorkspacePorts } from '../parts/opened-workspace.ts';
import { type SweepWorkPorts, sweepWork } from '../parts/sweep-work.ts';
import { type EncodeTask, openPlan } from '../parts/task.ts';
import { type Watch, type WatchPorts, watchJob } from '../parts/watch-job.ts';
import { recording } from '../transcode/recording.ts';
import { type EncodePorts, encodePart } from './encode.ts';

export type EncodePartPorts = EncodePorts &
  WatchPorts &
  SweepWorkPorts &
  WorkspacePorts & {
    workFiles: Pick<WorkFiles, 'readText' | 'writeText'>;
    files: Pick<MediaFiles, 'upload'>;
  };

export type EncodePartResult = 'done' | 'lost';

/**
 * Encodes one part of a job, before `deadline`, and leaves it beside the plan; one that lies there already is done. A
 * job that has ended meanwhile, or is another worker's, is dropped.
 * @throws JobError what ended the encoding; any other error is of the stage and worth another try
 */
export function doPart(
  ports: EncodePartPorts,
): (task: EncodeTask, deadline: Date) => Promise<EncodePartResult> {
  return async (task, deadline) => {
    const watch = await watchJob(ports, task);
    let isDone = false;
    try {
      isDone = watch !== undefined && (await keepPart(ports, task, { watch, deadline }));
    } finally {
      // Also where it failed: perhaps it was the first to miss what others removed, since the job has ended.
      if (!isDone) await sweepWork(ports, task);
    }
    return isDone ? 'done' : 'lost';
  };
}

type Context = { watch: Watch; deadline: Date };

/** False where the job was taken away meanwhile, whatever became of the part. */
async function keepPart(ports: EncodePartPorts, task: EncodeTask, context: Context): Promise<boolean> {
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
  ports: EncodePartPorts,
  task: EncodeTask,
  { watch, deadline }: Context,
): Promise<void> {
  const { workFiles, files, encoder: plainEncoder } = ports;
  const keys = partKeys(task.planKey, task.part);
  if ((await workFiles.readText(keys.result)) !== undefined) return;
  const plan = await openPlan(ports, task);
  const part = partsOf(plan.work)[task.part];
  if (part === undefined) throw new Error(`The plan at ${task.planKey} has no part ${task.part}`);
  const { encoder, runs } = recording(plainEncoder);
  await using opened = await openedWorkspace(ports, task);
  const directory = await opened.workspace.makeDirectory('part');
  const { signal, report } = watch;
  const given = { plan, part, directory };
  const encoding = encodePart({ ...ports, encoder }, given, { signal, deadline, report });
  const { paths, found } = await encoding.catch(async (cause: unknown) => {
    // For the joiner, which tells the owner.
    if (cause instanceof JobError && !signal.aborted) {
      const failure: PartFailure = { message: cause.message, runs: [...runs] };
      await workFiles.writeText(keys.failure, JSON.stringify(failure));
    }
    throw cause;
  });
  for (const [file, path] of paths.entries()) {
    await files.upload({ path, key: keys.fileOf(file), mimeType: 'application/octet-stream', signal });
  }
  const result: PartResult = { ...found, runs: [...runs] };
  signal.throwIfAborted();
  await workFiles.writeText(keys.result, JSON.stringify(result));
}
