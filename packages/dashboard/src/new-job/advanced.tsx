import { Box } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './new-job.module.css';

/** Fields that most jobs leave alone. They are open if one has a value or a problem. */
export function Advanced({ title, isSet, children }: { title: string; isSet: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={classes.advanced}
      open={isOpen || isSet}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{title}</summary>
      <Box mt="md">{children}</Box>
    </details>
  );
}
