import { expect, it } from 'vitest';
import { forTerminal } from '../../../scripts/tables/for-terminal.ts';
import { table } from '../../../scripts/tables/markdown.ts';

it('a table of Markdown stands in columns, its numbers to the right', () => {
  const markdown = table(
    ['Part', '>Dollars'],
    [
      ['disk', '$0.5'],
      ['**all of it**', '$12.50'],
    ],
  );
  expect(forTerminal(markdown)).toBe(
    ['Part        Dollars', 'disk           $0.5', 'all of it    $12.50'].join('\n'),
  );
});
