import { expect, it } from 'vitest';
import { table } from '../../markdown/table.ts';
import { forTerminal } from '../../tables/for-terminal.ts';

it('a Markdown table is aligned in columns, with numbers to the right', () => {
  const markdown = table(
    ['Part', '>Dollars'],
    [
      ['disk', '$0.5'],
      ['**all of it**', '$12.50'],
    ],
  );
  expect(forTerminal(markdown)).toBe(['Part        Dollars', 'disk           $0.5', 'all of it    $12.50'].join('\n'));
});
