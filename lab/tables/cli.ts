import { type CommandContext, createProgram, descendants, exitCodes, recipeOptions } from '@media-jobs/cli';
import type { Command } from 'commander';
import { cell, joinSame, table } from '../markdown/table.ts';

const program = createProgram({ programName: 'media-jobs' } as CommandContext);
const ofRecipes = new Set(recipeOptions().map(({ flags }) => flags));

/** All commands of the program. */
export function cliCommandsTable(): string {
  const leaves = descendants(program).filter(({ commands }) => commands.length === 0);
  return table(
    ['Command', ''],
    leaves.map((command) => [code(lineOf(command)), prose(command.description())]),
  );
}

/** All options except those of recipes, which `recipes <name>` lists. The same option of several commands is one row. */
export function cliOptionsTable(): string {
  const rows = descendants(program).flatMap((command) =>
    command.options
      .filter(({ flags }) => !ofRecipes.has(flags))
      .map(({ flags, description }) => [code(nameOf(command)), code(flags), prose(description)]),
  );
  const everywhere = program.options
    .filter(({ long }) => long !== '--version')
    .map(({ flags, description }) => ['all', code(flags), prose(description)]);
  return table(['Command', 'Option', ''], joinSame([...rows, ...everywhere]));
}

/** All exit codes of the program. */
export function cliExitCodesTable(): string {
  return table(
    ['>Code', 'Meaning'],
    Object.values(exitCodes).map((exit) => [String(exit.code), exit.meaning]),
  );
}

function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent === program ? command.name() : `${parent.name()} ${command.name()}`;
}

function lineOf(command: Command): string {
  const args = command.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? '...' : '');
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [nameOf(command), ...args].join(' ');
}

function code(text: string): string {
  return `\`${cell(text)}\``;
}

/** Outside of code, an angle bracket starts an HTML tag. */
function prose(text: string): string {
  return cell(text).replaceAll('<', '&lt;');
}
