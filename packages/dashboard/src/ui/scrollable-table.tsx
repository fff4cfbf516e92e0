import { Box, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './scrollable-table.module.css';

type Props = {
  label: string;
  minWidth?: number;
  headings: readonly string[];
  /** The headings of numbers, which stand at the end of their cells. */
  numeric?: readonly string[];
  /** The rows. */
  children: ReactNode;
};

/** A table that scrolls horizontally if the page is narrower than `minWidth` pixels. */
export function ScrollableTable({ label, minWidth, headings, numeric = [], children }: Props) {
  return (
    <Box style={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label={`${label} (scrollable)`}>
      <Table className={`${classes.table} numbers`} style={{ minWidth }} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {headings.map((heading) => (
              <Table.Th key={heading} ta={numeric.includes(heading) ? 'end' : undefined}>
                {heading}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Box>
  );
}
