import type { Worker, WorkPass } from '@media-jobs/video/decide';
import { runOrder } from '@media-jobs/video/media';

/** Who does the work: a function in a single pass, functions in chunks, or a Fargate task. */
export const workers = ['function', 'chunks', 'task'] as const satisfies readonly Worker[];

/** The worker of each step of a job, by the decided passes. The steps in front of them keep theirs. */
export function workersOf(passes: readonly WorkPass[], earlier: readonly DecidedWorker[] = []): DecidedWorker[] {
  const [first] = passes;
  const count = passes.at(-1)?.to ?? earlier.length;
  return Array.from({ length: count }, (_, index) => {
    if (first === undefined || index < first.from) return earlier[index] ?? null;
    return passes.find(({ from, to }) => index >= from && index < to)?.kind ?? null;
  });
}

/** Null for an output that is not made. */
type DecidedWorker = Worker | null;

/** A pipeline, or a job of several outputs. */
type Requested = {
  steps?: readonly { name?: string | undefined }[] | undefined;
  outputs?: Readonly<Record<string, { from?: string | undefined; format: string }>> | undefined;
};

/**
 * The workers of a job as its owner reads them: by the name of each output; of a pipeline by that of the step, or its
 * number. `worker` is the one that can do the most.
 */
export function viewWorkers(
  { steps, outputs }: Requested,
  decided: readonly DecidedWorker[] | undefined,
): { worker: Worker | null; workers?: Record<string, Worker | null> } {
  const worker = workers.findLast((each) => decided?.includes(each)) ?? null;
  // A step that is one encode with a later one has no pass of its own, but the worker of that one.
  if (outputs !== undefined) {
    const order = runOrder(outputs);
    const workerOf = (name: string): DecidedWorker => {
      const reader = Object.keys(outputs).find((other) => outputs[other]?.from === name);
      return decided?.[order.indexOf(name)] ?? (reader === undefined ? null : workerOf(reader));
    };
    const byName = Object.keys(outputs).map((name) => [name, workerOf(name)]);
    return { worker, workers: Object.fromEntries(byName) };
  }
  if (steps === undefined) return { worker };
  const workerOf = (index: number) => decided?.slice(index).find((each) => each !== null) ?? null;
  const named = steps.map(({ name }, index) => [name ?? `step-${index + 1}`, workerOf(index)]);
  return { worker, workers: Object.fromEntries(named) };
}
