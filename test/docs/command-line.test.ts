import { type CommandContext, createProgram, descendants } from '@media-jobs/cli';
import { expect, it } from 'vitest';
import { argumentsAfter, longOptions, pages } from './command-lines.ts';

const program = createProgram({ programName: 'media-jobs' } as CommandContext);
const leaves = descendants(program).filter(({ commands }) => commands.length === 0);
const everywhere = ['--help', '--json', '--version'];

/** The command that the first words name, and their options. */
function commandOf(args: string) {
  const [first = '', second = ''] = args.split(' ');
  return leaves.find((leaf) =>
    leaf.parent === program ? leaf.name() === first : leaf.parent?.name() === first && leaf.name() === second,
  );
}

const lines = pages.flatMap((page) =>
  argumentsAfter(page, '(?:media-jobs|npm run cli --)').map((args) => ({ page, args })),
);

it('the pages show the command line', () => expect(new Set(lines.map(({ page }) => page)).size).toBeGreaterThan(4));

it.each(lines)('$page names an existing command with its options: $args', ({ args }) => {
  const command = commandOf(args);
  expect(command, args).toBeDefined();
  const known = command?.options.map(({ long }) => long) ?? [];
  const unknown = longOptions(args).filter((option) => ![...known, ...everywhere].includes(option));
  expect(unknown).toEqual([]);
});
