import { Group, Paper, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <Paper withBorder component="section" aria-labelledby={id} p={{ base: 'md', sm: 'lg' }}>
      <Group justify="space-between" wrap="nowrap" gap="xs" mb="md" mih={30}>
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Paper>
  );
}
