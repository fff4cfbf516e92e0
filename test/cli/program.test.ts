import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createProgram, descendants } from '../../cli/program.ts';

const page = readFileSync(`${import.meta.dirname}/../../docs/cli.md`, 'utf8');
const blocks = [...page.matchAll(/^```(?:sh)?\n([\s\S]*?)^```$/gm)].map(([, text = '']) =>
  text.replaceAll('\\\n', ' '),
);

/** The words of every line of the page that calls the program, as far as quotes matter in them. */
const lines = blocks.flatMap((block) =>
  [...block.matchAll(/(?:media-jobs|npm run cli --) ([^\n)&]+)/g)].map(([, line = '']) =>
    [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
      ([, single, double, bare]) => single ?? double ?? bare ?? '',
    ),
  ),
);

describe('the page', () => {
  it.each(lines)('shows a line that the program takes: %s %s %s', async (...words) => {
    const called: string[] = [];
    const program = createProgram(
      () =>
        async function () {
          called.push(this.name());
        },
      { programName: 'media-jobs' },
    );
    await program.parseAsync(words, { from: 'user' });
    expect(called).toEqual([words[0]]);
  });

  it('names every option that it speaks of as the program does', () => {
    const program = createProgram(() => async () => undefined, { programName: 'media-jobs' });
    const known = descendants(program).flatMap(({ options }) => options.map(({ long }) => long));
    const named = [...page.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([option]) => option);
    // Of the program itself, of commander, and of npm.
    const others = ['--json', '--help', '--silent'];
    const unknown = named.filter((option) => ![...known, ...others].includes(option));
    expect(unknown).toEqual([]);
  });
});
