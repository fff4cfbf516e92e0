import { JobError } from '../../core/errors.ts';
import { after } from '../../core/jobs/durations.ts';
import type { EndedJob, JobIn } from '../../core/jobs/job.ts';
import { attemptPrefix, type StoredFile } from '../../core/jobs/stored-file.ts';
import { complete } from '../../core/jobs/transitions.ts';
import { endJob } from '../ending/end-job.ts';
import { wasCompletedBy } from '../ending/was-completed-by.ts';
import { openedWorkspace, type WorkspacePorts } from '../parts/opened-workspace.ts';
import { type SweepWorkPorts, sweepWork } from '../parts/sweep-work.ts';
import { type JoinTask, openPlan } from '../parts/task.ts';
import { type Watch, type WatchPorts, watchJob } from '../parts/watch-job.ts';
import { keepLog, type LogPorts, recording } from '../transcode/keep-log.ts';
import { measureOutputs } from '../transcode/measure-outputs.ts';
import { storeOutputs } from '../transcode/outputs.ts';
import type { WorkPorts } from '../transcode/work.ts';
import { type GoBackPorts, goBack } from './go-back.ts';
import { type JoinPorts, joinParts } from './join.ts';
import { JoinFlaw } from './join-flaw.ts';

export type JoinPartsPorts = GoBackPorts &
  JoinPorts &
  WatchPorts &
  WorkspacePorts &
  SweepWorkPorts &
  LogPorts &
  Pick<WorkPorts, 'files' | 'newId'>;

export type JoinPartsResult = EndedJob['state'] | 'requeued' | 'lost';

type Result = Pick<JobIn<'completed'>, 'files' | 'inputSizeBytes' | 'mediaSeconds' | 'measurements'>;

/**
 * Ends a job whose parts are encoded, before `deadline`: joins them, checks the file against the plan and delivers it.
 * Where that is not possible, or parts failed for good, the job goes back to be encoded in one piece.
 */
export function finishParts(
  ports: JoinPartsPorts,
): (task: JoinTask, deadline: Date) => Promise<JoinPartsResult> {
  return async (task, deadline) => {
    const watch = await watchJob(ports, { ...task, part: 'join' });
    const state = watch === undefined ? 'lost' : await finish(ports, task, { watch, deadline });
    await sweepWork(ports, task);
    return state;
  };
}

type Context = { watch: Watch; deadline: Date };

async function finish(ports: JoinPartsPorts, task: JoinTask, context: Context): Promise<JoinPartsResult> {
  const { watch, deadline } = context;
  const work = task.failed
    ? { flaw: 'one of its chunks could not be encoded' }
    : await produce(ports, task, context).catch((cause: unknown) => {
        if (watch.signal.aborted) return 'lost' as const;
        return { flaw: flawOf(cause) };
      });
  await watch.end();
  const { job } = watch;
  if (work === 'lost' || watch.signal.aborted) return lose(ports, job);
  if ('flaw' in work) return goBack(ports, task, work.flaw);
  const filesExpireAt = after(ports.clock.now(), ports.retentionMs);
  const change = { ...work.result, filesExpireAt };
  const ended = await endJob(ports, job, (ending) => complete(job, change, ending), { until: deadline });
  return ended.written ? 'completed' : lose(ports, job);
}

async function produce(
  ports: JoinPartsPorts,
  task: JoinTask,
  { watch, deadline }: Context,
): Promise<{ result: Result }> {
  const { job, signal, report } = watch;
  const plan = await openPlan(ports, task);
  const { encoder, runs } = recording(ports.encoder);
  await using opened = await openedWorkspace(ports, task);
  const { workspace } = opened;
  const directory = await workspace.makeDirectory('joined');
  const given = { plan, planKey: task.planKey, directory };
  const joined = await joinParts({ ...ports, encoder }, given, { signal, deadline, report });
  await keepLog(ports, job, [...runs, ...joined.runs]).catch((cause) => ports.onUnexpected(job, cause));
  const outputs = { plan: { outputs: [plan.work.output] }, directory, workspace };
  const finished = await measureOutputs(ports, { signal }, outputs);
  const lease = { report: ({ fraction }: { fraction: number }) => report(50 + 50 * fraction) };
  const files: Record<string, StoredFile> = await storeOutputs(
    ports,
    { job, lease, signal, deadline },
    finished,
  );
  return { result: { files, ...plan.work.result } };
}

/** Says to the owner why parts make no file; what is the stage's own failure is thrown, to be tried again. */
function flawOf(cause: unknown): string {
  if (cause instanceof JoinFlaw) return cause.message;
  if (cause instanceof JobError && !cause.retryable) return cause.message;
  throw cause;
}

/** Removes what this function wrote, unless it has become the job's result: another one was here for the same attempt. */
async function lose(ports: JoinPartsPorts, job: JobIn<'processing'>): Promise<'completed' | 'lost'> {
  if (wasCompletedBy(job, await ports.jobs.get(job))) return 'completed';
  const { jobId, attempt } = job;
  await ports.files
    .removeAll(attemptPrefix(jobId, attempt))
    .catch((cause: unknown) => ports.onUnexpected(job, cause));
  return 'lost';
}
