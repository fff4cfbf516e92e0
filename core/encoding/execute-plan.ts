import type { Command } from '../media/ffmpeg/command.ts';
import type { PendingPlan, Plan } from './plan.ts';

/** The part of the whole work that one command is, from 0 to 1. */
export type ProgressShare = { from: number; to: number; isLast: boolean };

/** Runs one command, and tells what ffmpeg said. */
export type RunCommand = (command: Command, share: ProgressShare) => Promise<{ log: string }>;

/** The part of the whole work after which what was made is looked at once more, where it is. */
const reviewFrom = 0.95;

/**
 * Runs the commands of a plan, one after the other, with the measurements that decide it and those of what was made;
 * returns it as decided, with all figures.
 */
export async function executePlan(plan: Plan | PendingPlan, run: RunCommand): Promise<Plan> {
  const { decided, from } = await resolvePlan(plan, run);
  const { commands, outputMeasurement, ...others } = decided;
  const to = outputMeasurement ? reviewFrom : 1;
  for (const { command, ...share } of shared(commands, from, to)) await run(command, share);
  if (outputMeasurement === undefined) return decided;
  const { log } = await run(outputMeasurement.command, { from: to, to: 1, isLast: true });
  return { ...others, commands, measurements: { ...others.measurements, ...outputMeasurement.read(log) } };
}

/** Runs the measurements that decide a plan, and no more. `from` is how much of the whole work (0 to 1) they were. */
export async function resolvePlan(
  plan: Plan | PendingPlan,
  run: RunCommand,
): Promise<{ decided: Plan; from: number }> {
  let from = 0;
  let current = plan;
  while ('measure' in current) {
    const { measure, progressAfter, decide } = current;
    let log = '';
    for (const { command, ...share } of shared(measure, from, progressAfter)) {
      ({ log } = await run(command, { ...share, isLast: false }));
    }
    from = progressAfter;
    current = decide(log);
  }
  return { decided: current, from };
}

function shared(commands: readonly Command[], from: number, to: number) {
  const one = (to - from) / commands.length;
  return commands.map((command, index) => ({
    command,
    from: from + index * one,
    to: from + (index + 1) * one,
    isLast: index === commands.length - 1,
  }));
}
