import { Box, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './scrollable-table.module.css';

type Props = { label: string; minWidth: number; children: ReactNode };

/** A table that scrolls by itself where the page is too narrow for it. */
export function ScrollableTable({ label, minWidth, children }: Props) {
  return (
    <Box className={classes.scroll} tabIndex={0} role="region" aria-label={`${label}, to scroll`}>
      <Table className={`${classes.table} numbers`} style={{ minWidth }} aria-label={label}>
        {children}
      </Table>
    </Box>
  );
}
