import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Note } from './text.tsx';

/** In place of items that there are none of: what to do. */
export function EmptyState({ title, hint, children }: { title: string; hint: ReactNode; children?: ReactNode }) {
  return (
    <Paper withBorder p={{ base: 'md', sm: 'xl' }}>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Note mt={4}>{hint}</Note>
      {children}
    </Paper>
  );
}
