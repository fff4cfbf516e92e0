import { Box, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './scrollable-table.module.css';

type Props = { label: string; minWidth: number; children: ReactNode };

/** A table that scrolls horizontally if the page is narrower than `minWidth` pixels. */
export function ScrollableTable({ label, minWidth, children }: Props) {
  return (
    <Box className={classes.scroll} tabIndex={0} role="region" aria-label={`${label} (scrollable)`}>
      <Table className={`${classes.table} numbers`} style={{ minWidth }} aria-label={label}>
        {children}
      </Table>
    </Box>
  );
}
