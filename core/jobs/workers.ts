import type { Worker, WorkPass } from '@media-jobs/video/decide';

/** Who does the work: a function in a single pass, functions in chunks, or a Fargate task. */
export const workers = ['function', 'chunks', 'task'] as const satisfies readonly Worker[];

/** The worker of each step of a job, by the decided passes. The steps in front of them keep theirs. */
export function workersOf(passes: readonly WorkPass[], earlier: readonly Worker[] = []): Worker[] {
  const [first] = passes;
  const decided = passes.flatMap(({ kind, from, to }) => Array.from({ length: to - from }, () => kind));
  return [...earlier.slice(0, first?.from ?? 0), ...decided];
}

/**
 * The workers of a job as its owner reads them: of a pipeline by the name of the step, or its number. `worker` is the one
 * that can do the most.
 */
export function viewWorkers(
  { steps }: { steps?: readonly { name?: string | undefined }[] | undefined },
  decided: readonly Worker[] | undefined,
): { worker: Worker | null; workers?: Record<string, Worker | null> } {
  const worker = workers.findLast((each) => decided?.includes(each)) ?? null;
  if (steps === undefined) return { worker };
  const named = steps.map(({ name }, index) => [name ?? `step-${index + 1}`, decided?.[index] ?? null]);
  return { worker, workers: Object.fromEntries(named) };
}
