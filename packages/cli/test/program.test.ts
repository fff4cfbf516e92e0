import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../src/context/command-context.ts';
import { descendants } from '../src/descendants.ts';
import { createProgram } from '../src/program.ts';

const document = readFileSync(`${import.meta.dirname}/../../../docs/cli.md`, 'utf8');
const blocks = [...document.matchAll(/^```(?:sh)?\n([\s\S]*?)^```$/gm)].map(([, text = '']) =>
  text.replaceAll('\\\n', ' '),
);

/** The arguments of every command line in the document, split at unquoted spaces. */
const commandLines = blocks.flatMap((block) =>
  [...block.matchAll(/(?:media-jobs|npm run cli --) ([^\n)&]+)/g)].map(([, commandLine = '']) =>
    [...commandLine.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
      ([, single, double, bare]) => single ?? double ?? bare ?? '',
    ),
  ),
);

const context = { programName: 'media-jobs' } as CommandContext;

describe('docs/cli.md', () => {
  it.each(commandLines)('docs/cli.md shows a valid command line: %s %s %s', async (...args) => {
    const called: string[] = [];
    const program = createProgram(context);
    for (const command of descendants(program))
      if (command.commands.length === 0) command.action(() => void called.push(command.name()));
    await program.parseAsync(args, { from: 'user' });
    const commands = args.slice(0, 2).filter((word) => called.includes(word));
    expect([called.length, commands]).toEqual([1, called]);
  });

  it('docs/cli.md names only options that exist', () => {
    const program = createProgram(context);
    const known = descendants(program).flatMap(({ options }) => options.map(({ long }) => long));
    const named = [...document.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([option]) => option);
    // Options of the program itself, of commander and of npm.
    const others = ['--json', '--help', '--silent'];
    const unknown = named.filter((option) => ![...known, ...others].includes(option));
    expect(unknown).toEqual([]);
  });
});

it.each([40, 80])('each line of the help of submit fits %i columns, if its words do', (columns) => {
  const program = createProgram(context, { getOutHelpWidth: () => columns });
  const help = program.commands.find((command) => command.name() === 'submit')?.helpInformation() ?? '';
  const described = help.split('\n').filter((line) => /^ {6}/.test(line));
  expect(described.length).toBeGreaterThan(40);
  expect(described.filter((line) => line.length > columns && line.trim().includes(' '))).toEqual([]);
});
