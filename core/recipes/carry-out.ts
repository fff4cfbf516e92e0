import type { Command } from '../media/command.ts';
import type { Measurement, Plan } from './recipe.ts';

/** The part of the whole work that one command is, from 0 to 1. */
export type Share = { from: number; to: number; isLast: boolean };

/** Runs one command, and tells what ffmpeg said. */
export type RunCommand = (command: Command, share: Share) => Promise<{ log: string }>;

/** Runs the commands of a plan, one after the other, with the measurements that decide it; returns it as decided. */
export async function carryOut(plan: Plan | Measurement, run: RunCommand): Promise<Plan> {
  let from = 0;
  let current = plan;
  while ('measure' in current) {
    const { measure, progressTo, decide } = current;
    let log = '';
    for (const { command, ...share } of shared(measure, from, progressTo)) {
      ({ log } = await run(command, { ...share, isLast: false }));
    }
    from = progressTo;
    current = decide(log);
  }
  for (const { command, ...share } of shared(current.commands, from, 1)) await run(command, share);
  return current;
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
