import type { Command } from 'commander';
import type { Exit } from '../exit-codes.ts';
import type { Tools } from './tools.ts';

/** What a command does with its arguments and options; it may end in another way than `ok`. */
// biome-ignore lint/suspicious/noExplicitAny: as commander has it; each command names the types of what it declared.
type Work = (tools: Tools, ...given: any[]) => Promise<Exit | undefined>;

/** Makes of a command's work the action that commander calls. */
export type Attend = (work: Work) => (this: Command, ...given: unknown[]) => Promise<void>;

/** One command of the program. */
export type CommandOf = (attend: Attend) => Command;
