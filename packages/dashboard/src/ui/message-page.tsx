import { Button, Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { pageTitleId, useWindowTitle } from './page.tsx';

type Props = { title: string; children: ReactNode; action?: { label: string; onClick: () => void } };

export function MessagePage({ title, children, action }: Props) {
  useWindowTitle(title);
  return (
    <Center mih="60vh" p="md">
      <Stack align="center" gap="sm" maw={480}>
        <Title id={pageTitleId} order={1} size="h3" ta="center">
          {title}
        </Title>
        <Text c="dimmed" ta="center">
          {children}
        </Text>
        {action === undefined ? null : (
          <Button mt="sm" onClick={action.onClick}>
            {action.label}
          </Button>
        )}
      </Stack>
    </Center>
  );
}
