import { runOrder } from '@media-jobs/video/media';
import { isTerminal, type Job, type JobIn } from './record.ts';
import type { JobEvent, JobFailure, JobStage, OutputState } from './states.ts';

/** The percent of a job that each stage covers, as [from, to]. */
const percentByStage: Record<JobStage, readonly [number, number]> = {
  queued: [0, 0],
  validating: [0, 0],
  downloading: [0, 10],
  probing: [10, 10],
  transcoding: [10, 95],
  uploading: [95, 99],
  done: [99, 99],
};

/** The percent of the whole job, 0 to 99, at a `fraction` (0 to 1) of a stage. */
export function overallProgress(stage: JobStage, fraction: number): number {
  const [from, to] = percentByStage[stage];
  return Math.floor(from + (to - from) * Math.min(1, Math.max(0, fraction)));
}

/** The share of each step in the work of a job: by default an equal one. */
type Shares = readonly number[] | undefined;

/** The completed share of all encoding, from 0 to 1, at a `fraction` (0 to 1) of one of `count` steps. */
export function encodedFraction(
  { shares, count }: { shares?: Shares; count: number },
  { index, fraction }: { index: number; fraction: number },
): number {
  const all = sharesOf(shares, count);
  const before = sum(all.slice(0, index));
  return (before + (all[index] ?? 0) * fraction) / Math.max(1, sum(all));
}

function stepPercent(job: Job, index: number, percent: number): number {
  const { shares } = 'shares' in job ? job : {};
  const all = sharesOf(shares, stepCountOf(job));
  const [from, to] = percentByStage.transcoding;
  const done = ((percent - from) / (to - from)) * sum(all) - sum(all.slice(0, index));
  return Math.floor(100 * Math.min(0.99, Math.max(0, done / Math.max(1, all[index] ?? 0))));
}

/** The number of steps of a job: one, those of a pipeline, or one for each output. */
function stepCountOf({ request: { steps, outputs } }: Pick<Job, 'request'>): number {
  return outputs === undefined ? (steps?.length ?? 1) : Object.keys(outputs).length;
}

function sharesOf(shares: Shares, count: number): readonly number[] {
  return shares ?? Array.from({ length: count }, () => 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** A job's progress in percent: the last one written, or that of all chunk tasks of a step together if it is more. */
export function progressOf(job: Job): number {
  if (job.state !== 'processing' || !job.execution) return job.progress;
  const { completedSteps, shares, execution } = job;
  const fraction = sum(Object.values(job.chunkProgress ?? {})) / 100 / execution.taskCount;
  const reached = { index: completedSteps?.count ?? 0, fraction };
  const encoded = encodedFraction({ shares, count: stepCountOf(job) }, reached);
  return Math.max(job.progress, overallProgress('transcoding', encoded));
}

/** The percent and the time of one chunk task or of the join, which its worker reports under the job's lease. */
export type ChunkProgress = {
  ownerId: string;
  jobId: string;
  leaseId: string;
  chunk: number | 'join';
  /** Of a chunk task that runs twice at the same time: the time of the second run counts apart. */
  isSecondRun?: boolean;
  percent: number;
  /** Milliseconds that all runs of the task have taken until now, except those whose time counts apart. */
  ms: number;
  /** Seconds from the claim of the job to now; left out once this run has ended. */
  beat?: number | undefined;
};

/** The field of `taskMs` that has the time of a task. */
export function taskMsField({ chunk, isSecondRun }: Pick<ChunkProgress, 'chunk' | 'isSecondRun'>): string {
  return isSecondRun ? `${chunk}-second` : String(chunk);
}

/**
 * - `recorded`: written.
 * - `unchanged`: the record has more of this task, or the job is not delegated yet.
 * - `lost`: the job is not under this lease any more.
 */
export type ChunkProgressResult = 'recorded' | 'unchanged' | 'lost';

/** The record after a chunk's progress. Neither the percent of a chunk nor its time ever falls. */
export function applyChunkProgress(
  stored: Job | undefined,
  progress: ChunkProgress,
): { job: JobIn<'processing'> } | Exclude<ChunkProgressResult, 'recorded'> {
  const { leaseId, chunk, percent, ms, beat } = progress;
  const field = taskMsField(progress);
  if (stored?.state !== 'processing' || stored.leaseId !== leaseId) return 'lost';
  const { chunkProgress, taskMs, taskBeats, progressVersion = 0 } = stored;
  if (!chunkProgress || !taskMs || !taskBeats) return 'unchanged';
  if ((chunkProgress[chunk] ?? 0) > percent || (taskMs[field] ?? -1) >= ms) return 'unchanged';
  const { [field]: _, ...otherBeats } = taskBeats;
  return {
    job: {
      ...stored,
      taskBeats: beat === undefined ? otherBeats : { ...otherBeats, [field]: beat },
      chunkProgress: { ...chunkProgress, [chunk]: percent },
      taskMs: { ...taskMs, [field]: ms },
      progressVersion: progressVersion + 1,
    },
  };
}

export type OutputStateView = { state: OutputState; progress: number; error?: JobFailure | undefined };

/** The state of each output of a job of several; undefined for any other job. */
export function outputStatesOf(job: Job): Record<string, OutputStateView> | undefined {
  const { outputs } = job.request;
  if (outputs === undefined) return undefined;
  const order = runOrder(outputs);
  return Object.fromEntries(Object.keys(outputs).map((name) => [name, stateOf(job, name, order)]));
}

function stateOf(job: Job, name: string, order: readonly string[]): OutputStateView {
  const index = order.indexOf(name);
  const { ended } = job.state === 'completed' ? job : ('completedSteps' in job && job.completedSteps?.result) || {};
  const ends = ended ?? {};
  const end = Object.hasOwn(ends, name) ? ends[name] : undefined;
  if (end !== undefined) return { ...end, progress: 0 };
  const count = 'completedSteps' in job ? (job.completedSteps?.count ?? 0) : 0;
  if (job.state === 'completed' || index < count) return { state: 'completed', progress: 100 };
  if ('error' in job && job.error.output === name) return { state: 'failed', progress: 0, error: job.error };
  if (isTerminal(job)) return { state: 'cancelled', progress: 0 };
  const current = order.findIndex((each, number) => number >= count && !Object.hasOwn(ends, each));
  const isCurrent = job.state === 'processing' && index === current && ['transcoding', 'uploading'].includes(job.stage);
  if (!isCurrent) return { state: 'queued', progress: 0 };
  return { state: 'processing', progress: stepPercent(job, index, progressOf(job)) };
}

/**
 * Adds the events of a change to a record: outputs that have ended, then a new state. Every transition that may change them
 * calls this with the time that it writes as `updatedAt`. The end of a job tells of its outputs too.
 */
export function addEvents<J extends Job>(job: J, now: Date): J {
  const { events = [], state } = job;
  const at = now.getTime();
  const ended = isTerminal(job) ? [] : endedOutputs(job).map((output): JobEvent => ({ state, at, output }));
  const isNewState = events.findLast(({ output }) => output === undefined)?.state !== state;
  const added = [...ended, ...(isNewState ? [{ state, at }] : [])];
  return added.length === 0 ? job : { ...job, events: [...events, ...added] };
}

function endedOutputs(job: Job): NonNullable<JobEvent['output']>[] {
  const told = new Set(job.events?.map(({ output }) => output?.name));
  return Object.entries(outputStatesOf(job) ?? {}).flatMap(([name, { state }]) => {
    const hasEnded = state === 'completed' || state === 'failed' || state === 'skipped';
    return hasEnded && !told.has(name) ? [{ name, state }] : [];
  });
}
