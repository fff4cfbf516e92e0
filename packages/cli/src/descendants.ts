import type { Command } from 'commander';

/** All subcommands of a command, at any depth. */
export function descendants(command: Command): Command[] {
  return command.commands.flatMap((child) => [child as Command, ...descendants(child as Command)]);
}
