import { Container, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { pageTitleId } from './focus-page.ts';
import classes from './page.module.css';
import { UntrustedText } from './untrusted-text.tsx';
import { useWindowTitle } from './use-window-title.ts';

type Props = {
  title: string;
  /** Below the title. */
  lead?: ReactNode;
  /** Above the title, such as a link back. */
  above?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  children: ReactNode;
};

/** A page with a title, which is also the title of the window. */
export function Page({ title, lead, above, actions, children }: Props) {
  useWindowTitle(title);
  return (
    <Container size={1200} py={{ base: 'md', sm: 'xl' }} px={{ base: 'md', sm: 'xl' }}>
      {above}
      <Group justify="space-between" align="flex-start" mb="lg" gap="sm" mih={36}>
        <div className={classes.heading}>
          <Title id={pageTitleId} order={1} size="h2" lineClamp={3} className={classes.title}>
            <UntrustedText>{title}</UntrustedText>
          </Title>
          {lead === undefined ? null : (
            <Text component="div" c="dimmed" mt={4} size="sm">
              {lead}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </Container>
  );
}
