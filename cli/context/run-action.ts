import type { Command } from 'commander';
import type { ExitName } from '../exit-codes.ts';
import type { CommandContext } from './command-context.ts';

/** What a command does with its arguments and options; it may end in another way than `ok`. */
// biome-ignore lint/suspicious/noExplicitAny: as commander has it; each command names the types of what it declared.
type Action = (tools: CommandContext, ...given: any[]) => Promise<ExitName | undefined>;

/** Makes of a command's work the action that commander calls. */
export type RunAction = (work: Action) => (this: Command, ...given: unknown[]) => Promise<void>;

/** One command of the program. */
export type CommandFactory = (attend: RunAction) => Command;
