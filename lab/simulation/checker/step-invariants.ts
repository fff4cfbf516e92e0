import type { CompletedSteps } from '../../../core/jobs/job-result.ts';
import { isFileOf } from '../../../core/jobs/stored-file.ts';
import { generationOf } from '../world/media-origin.ts';
import { type JobHistory, requestOf, terminalWrites } from './history.ts';
import { jobInvariant } from './invariant.ts';
import { completedStepsOf, encodesUntil, stepsOf } from './steps.ts';

function endOf(job: JobHistory): number {
  return terminalWrites(job)[0]?.at ?? Number.POSITIVE_INFINITY;
}

export const completedStepsStay = jobInvariant(
  'a completed step stays completed, and its outputs exist until the job ends',
  (job) =>
    job.writes.flatMap(({ before, after, at }) => {
      const [earlier, steps] = [completedStepsOf(before), completedStepsOf(after)];
      if (after.state !== 'queued' && after.state !== 'processing') return [];
      if ((steps?.count ?? 0) < (earlier?.count ?? 0)) return [`forgot ${earlier?.count} completed steps`];
      const known = keysOf(earlier);
      // A retry takes over outputs of another job, until it has copied them.
      const own = keysOf(steps).filter((key) => isFileOf(job, { key }) && !known.includes(key));
      return own.flatMap((key) => keyProblems(job, key, at));
    }),
);

function keysOf(steps: CompletedSteps | undefined): string[] {
  if (steps === undefined) return [];
  return [...Object.values(steps.result.files), ...Object.values(steps.intermediates)].map(({ key }) => key);
}

function keyProblems(job: JobHistory, key: string, at: number): string[] {
  const isStored = job.objects.some(
    (object) => object.kind === 'object-stored' && object.key === key && object.at <= at,
  );
  const isRemoved = job.objects.some(
    (object) => object.kind === 'object-removed' && object.key === key && object.at < endOf(job),
  );
  if (!isStored) return [`recorded ${key} before it was stored`];
  return isRemoved ? [`lost ${key} before its end`] : [];
}

/** The time between the check of the lease and the start of the encoder. */
const onItsWayMs = 30_000;

export const completedStepsAreNotRepeated = jobInvariant('a completed step is not encoded again', (job) => {
  let reached = 0;
  const steps = stepsOf(requestOf(job));
  const lastOf = (generation: number) => steps.findLastIndex((_, index) => encodesUntil(steps, index) === generation);
  const encodedAgain = job.encoded
    .toSorted((one, other) => one.begunAt - other.begunAt)
    .flatMap(({ invocation, made, begunAt }) => {
      const generation = generationOf(made);
      const isBehind = generation < reached && job.faults.length === 0;
      reached = Math.max(reached, generation);
      if (isBehind) return [`encoded step ${generation} after step ${reached}`];
      if (made.kind === 'joined' || job.faults.some((fault) => fault.invocation === invocation)) return [];
      const isCompleted = job.writes.some(
        ({ after, at }) => (completedStepsOf(after)?.count ?? 0) > lastOf(generation) && at < begunAt - onItsWayMs,
      );
      return isCompleted ? [`encoded step ${generation} once more`] : [];
    });
  return [...encodedAgain, ...storedAgain(job)];
});

/** Outputs that are stored anew although their job has them. A worker that has died, or met no fault, stores none later. */
function storedAgain({ writes, objects, faults }: JobHistory): string[] {
  if (faults.some(({ fault }) => fault !== 'killed' && !fault.startsWith('crash'))) return [];
  const finished = new Map<string, number>();
  for (const { after, at } of writes)
    for (const name of Object.keys(completedStepsOf(after)?.result.files ?? {}))
      finished.set(name, Math.min(at, finished.get(name) ?? at));
  return objects.flatMap(({ kind, key, at }) => {
    const name = key.split('/').at(-2) ?? '';
    const isAgain = kind === 'object-stored' && at > (finished.get(name) ?? at) + onItsWayMs;
    return isAgain ? [`stored ${key} after "${name}" was completed`] : [];
  });
}

export const completedPipelinesHaveAllOutputs = jobInvariant(
  'a completed job of several steps lists each output that it delivers, unless the output has ended without a file',
  (job) =>
    job.writes.flatMap(({ before, after }) => {
      if (before?.state === 'completed' || after.state !== 'completed') return [];
      if (after.request.recipe !== undefined) return [];
      const wanted = stepsOf(after.request).flatMap(({ name = 'output', isIntermediate }) =>
        isIntermediate ? [] : [name],
      );
      const { files, ended = {} } = after;
      return wanted
        .filter((name) => files[name] === undefined && ended[name] === undefined)
        .map((name) => `was completed without "${name}"`);
    }),
);
