import type { CompletedSteps, JobRecord } from '../../../core/jobs/record.ts';
import { generationOf } from '../world/media-origin.ts';
import { type JobHistory, terminalWrites } from './history.ts';
import { jobInvariant } from './invariant.ts';

function completedStepsOf(record: JobRecord | undefined): CompletedSteps | undefined {
  return record?.state === 'queued' || record?.state === 'processing' ? record.completedSteps : undefined;
}

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
      return keysOf(steps).flatMap((key) => (known.includes(key) ? [] : keyProblems(job, key, at)));
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
  return job.encoded
    .toSorted((one, other) => one.begunAt - other.begunAt)
    .flatMap(({ invocation, made, begunAt }) => {
      const generation = generationOf(made);
      const isBehind = generation < reached && job.faults.length === 0;
      reached = Math.max(reached, generation);
      if (isBehind) return [`encoded step ${generation} after step ${reached}`];
      if (made.kind === 'joined' || job.faults.some((fault) => fault.invocation === invocation)) return [];
      const isCompleted = job.writes.some(
        ({ after, at }) => (completedStepsOf(after)?.count ?? 0) >= generation && at < begunAt - onItsWayMs,
      );
      return isCompleted ? [`encoded step ${generation} once more`] : [];
    });
});

export const completedPipelinesHaveAllOutputs = jobInvariant(
  'a completed pipeline lists the output of each named step and of its last step',
  (job) =>
    job.writes.flatMap(({ before, after }) => {
      if (before?.state === 'completed' || after.state !== 'completed') return [];
      const { steps = [] } = after.request;
      const isDelivered = (index: number) => index === steps.length - 1 || steps[index]?.name !== undefined;
      const wanted = steps.flatMap(({ name = 'output' }, index) => (isDelivered(index) ? [name] : []));
      return wanted.filter((name) => after.files[name] === undefined).map((name) => `was completed without "${name}"`);
    }),
);
