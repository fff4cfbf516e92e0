import { after } from '../../core/jobs/durations.ts';
import type { EndedJob, JobIn } from '../../core/jobs/job.ts';
import { attemptPrefix } from '../../core/jobs/stored-file.ts';
import { complete } from '../../core/jobs/transitions.ts';
import { EncodeError } from '../../core/media/encode-error.ts';
import type { RunRecord } from '../../core/media/ports.ts';
import { endJob } from '../ending/end-job.ts';
import { wasCompletedBy } from '../ending/was-completed-by.ts';
import { openedWorkspace, type WorkspacePorts } from '../parts/opened-workspace.ts';
import { type SweepWorkPorts, sweepWork } from '../parts/sweep-work.ts';
import { type JoinTask, openPlan } from '../parts/task.ts';
import { type Watch, type WatchPorts, watchJob } from '../parts/watch-job.ts';
import { wouldFailAgain } from '../parts/would-fail-again.ts';
import { keepLog, type LogPorts } from '../transcode/keep-log.ts';
import { measureOutputs } from '../transcode/measure-outputs.ts';
import { recording } from '../transcode/recording.ts';
import { storeOutputs } from '../transcode/store-outputs.ts';
import type { WorkPorts } from '../transcode/work.ts';
import { type FindPartsPorts, findFailures, findParts } from './find-parts.ts';
import { type GoBackPorts, goBack } from './go-back.ts';
import { type JoinPorts, joinParts } from './join.ts';
import { JoinFlaw } from './join-flaw.ts';

export type JoinPartsPorts = GoBackPorts &
  JoinPorts &
  FindPartsPorts &
  WatchPorts &
  WorkspacePorts &
  SweepWorkPorts &
  LogPorts &
  Pick<WorkPorts, 'files' | 'newId'>;

export type JoinPartsResult = EndedJob['state'] | 'requeued' | 'lost';

type Result = Pick<JobIn<'completed'>, 'files' | 'inputSizeBytes' | 'mediaSeconds' | 'measurements'>;

/**
 * Ends a job whose parts are encoded, before `deadline`: joins them, checks the files against the plan and delivers them.
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
  const work = await (task.failed ? explain(ports, task, watch) : produce(ports, task, context))
    .catch((cause: unknown) => {
      if (watch.signal.aborted) return 'lost' as const;
      return { flaw: flawOf(cause) };
    })
    .finally(() => watch.end());
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
  const { planKey } = task;
  const parts = await findParts(ports, { plan, planKey });
  const { encoder, runs } = recording(ports.encoder);
  await using opened = await openedWorkspace(ports, task);
  const { workspace } = opened;
  const directory = await workspace.makeDirectory('joined');
  const joining = joinParts({ ...ports, encoder }, { plan, parts, directory }, { signal, deadline, report });
  await joining.finally(() =>
    writeLog(ports, job, [...plan.runs, ...parts.flatMap(({ result }) => result.runs), ...runs]),
  );
  const outputs = { plan: { outputs: plan.work.outputs }, directory, workspace };
  const finished = await measureOutputs(ports, { signal }, outputs);
  const lease = { report: ({ fraction }: { fraction: number }) => report(50 + 50 * fraction) };
  const files = await storeOutputs(ports, { job, lease, signal, deadline }, finished);
  return { result: { files, ...plan.work.result } };
}

/** Finds out why not all parts were encoded, as far as they say so. Whatever fails in that, the job has to go on. */
async function explain(
  ports: JoinPartsPorts,
  task: JoinTask,
  { job }: Watch,
): Promise<{ flaw: string | undefined }> {
  try {
    const plan = await openPlan(ports, task);
    const { reasons, runs } = await findFailures(ports, { plan, planKey: task.planKey });
    await writeLog(ports, job, [...plan.runs, ...runs]);
    return { flaw: reasons[0] };
  } catch (cause) {
    ports.onUnexpected(job, cause);
    return { flaw: undefined };
  }
}

/** Before the end of the attempt is written, so that whoever sees it finds the log. */
function writeLog(
  ports: JoinPartsPorts,
  job: JobIn<'processing'>,
  runs: readonly RunRecord[],
): Promise<void> {
  return keepLog(ports, job, runs).catch((cause: unknown) => ports.onUnexpected(job, cause));
}

/** Says to the owner why parts make no file; what is the stage's own failure is thrown, to be tried again. */
function flawOf(cause: unknown): string {
  // Joining is copying: what ffmpeg does not take of it, it never will.
  if (cause instanceof JoinFlaw || cause instanceof EncodeError || wouldFailAgain(cause))
    return cause.message;
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
