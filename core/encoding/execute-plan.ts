import type { Encoder, RunOptions } from '../media/ffmpeg/ports.ts';
import type { OutputMeasurement, PendingPlan, Plan, PlanTask, TaskResult } from './plan.ts';

/** The range of all work, from 0 to 1, that one task does. */
export type ProgressShare = { from: number; to: number; isLast: boolean };

/** Runs one task of a plan. */
export type RunTask = (task: PlanTask, share: ProgressShare) => Promise<TaskResult>;

/** Runs a task with the encoder. */
export async function runTask(encoder: Encoder, task: PlanTask, options: RunOptions): Promise<TaskResult> {
  if ('encoded' in task) return { frameScores: (await encoder.compare(task, options)).frameScores };
  if ('probePath' in task) {
    return { probe: await encoder.probe(task.probePath, { signal: options.signal, role: 'output' }) };
  }
  if ('textPath' in task) return { text: await encoder.readText(task.textPath) };
  return { log: (await encoder.run(task, options)).log };
}

/** Share of all work that is done when the measurement of the finished file begins. */
const outputMeasurementFrom = 0.95;

/**
 * Runs the measurements that a plan depends on, then its commands one after the other, then the measurement of the
 * finished file. Returns the resolved plan with all figures.
 */
export async function executePlan(plan: Plan | PendingPlan, run: RunTask): Promise<Plan> {
  const { plan: resolved, progress } = await resolvePlan(plan, run);
  const { commands, outputMeasurement, ...rest } = resolved;
  const to = outputMeasurement ? outputMeasurementFrom : 1;
  await runTasks(commands, { from: progress, to }, run);
  if (outputMeasurement === undefined) return resolved;
  const measured = await measureOutput(outputMeasurement, run);
  return { ...rest, commands, measurements: { ...rest.measurements, ...measured } };
}

/** Runs only the measurements that a plan depends on. `progress` is the share of all work, 0 to 1, done by then. */
export async function resolvePlan(
  plan: Plan | PendingPlan,
  run: RunTask,
): Promise<{ plan: Plan; progress: number }> {
  let progress = 0;
  let current = plan;
  while ('measure' in current) {
    const { measure, progressAfter, decide } = current;
    const results = await runTasks(measure, { from: progress, to: progressAfter }, (task, share) =>
      run(task, { ...share, isLast: false }),
    );
    progress = progressAfter;
    current = decide(lastLog(results), results);
  }
  return { plan: current, progress };
}

/** Measures a finished file. */
export async function measureOutput(
  measurement: OutputMeasurement,
  run: RunTask,
): Promise<Record<string, number>> {
  let current: OutputMeasurement | Record<string, number> = measurement;
  while (isMeasurement(current)) {
    const { measure, read }: OutputMeasurement = current;
    const results = await runTasks(measure, { from: outputMeasurementFrom, to: 1 }, run);
    current = read(lastLog(results), results);
  }
  return current;
}

function isMeasurement(value: OutputMeasurement | Record<string, number>): value is OutputMeasurement {
  return typeof value.read === 'function';
}

/** The log of the last run of ffmpeg; empty if there was none. */
function lastLog(results: readonly TaskResult[]): string {
  return results.findLast(({ log }) => log !== undefined)?.log ?? '';
}

/** Runs the tasks one after the other, each with an equal share of the progress. */
async function runTasks(
  tasks: readonly PlanTask[],
  { from, to }: { from: number; to: number },
  run: RunTask,
): Promise<TaskResult[]> {
  const step = (to - from) / tasks.length;
  const results: TaskResult[] = [];
  for (const [index, task] of tasks.entries()) {
    const share = { from: from + index * step, to: from + (index + 1) * step };
    results.push(await run(task, { ...share, isLast: index === tasks.length - 1 }));
  }
  return results;
}
