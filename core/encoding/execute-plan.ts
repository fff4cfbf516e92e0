import type { Command } from '../media/ffmpeg/command.ts';
import type { PendingPlan, Plan } from './plan.ts';

/** The range of all work, from 0 to 1, that one command does. */
export type ProgressShare = { from: number; to: number; isLast: boolean };

/** Runs one command and returns ffmpeg's log. */
export type RunCommand = (command: Command, share: ProgressShare) => Promise<{ log: string }>;

/** Share of all work that is done when the measurement of the finished file begins. */
const outputMeasurementFrom = 0.95;

/**
 * Runs the measurements that a plan depends on, then its commands one after the other, then the measurement of the
 * finished file. Returns the resolved plan with all figures.
 */
export async function executePlan(plan: Plan | PendingPlan, run: RunCommand): Promise<Plan> {
  const { plan: resolved, progress } = await resolvePlan(plan, run);
  const { commands, outputMeasurement, ...rest } = resolved;
  const to = outputMeasurement ? outputMeasurementFrom : 1;
  for (const { command, ...share } of shareProgress(commands, progress, to)) await run(command, share);
  if (outputMeasurement === undefined) return resolved;
  const { log } = await run(outputMeasurement.command, { from: to, to: 1, isLast: true });
  return { ...rest, commands, measurements: { ...rest.measurements, ...outputMeasurement.read(log) } };
}

/** Runs only the measurements that a plan depends on. `progress` is the share of all work, 0 to 1, done by then. */
export async function resolvePlan(
  plan: Plan | PendingPlan,
  run: RunCommand,
): Promise<{ plan: Plan; progress: number }> {
  let progress = 0;
  let current = plan;
  while ('measure' in current) {
    const { measure, progressAfter, decide } = current;
    let log = '';
    for (const { command, ...share } of shareProgress(measure, progress, progressAfter)) {
      ({ log } = await run(command, { ...share, isLast: false }));
    }
    progress = progressAfter;
    current = decide(log);
  }
  return { plan: current, progress };
}

/** Divides the range equally among the commands. */
function shareProgress(commands: readonly Command[], from: number, to: number) {
  const step = (to - from) / commands.length;
  return commands.map((command, index) => ({
    command,
    from: from + index * step,
    to: from + (index + 1) * step,
    isLast: index === commands.length - 1,
  }));
}
