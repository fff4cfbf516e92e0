import { Box, Container, Group, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { replaceUnsafeCharacters } from '@media-jobs/cli/formatting';
import type { ReactNode } from 'react';
import { UntrustedText } from './text.tsx';

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

export function Page({ title, lead, above, actions, children }: Props) {
  useWindowTitle(title);
  return (
    <Container size={1200} py={{ base: 'md', sm: 'xl' }} px={{ base: 'md', sm: 'xl' }}>
      {above}
      <Group justify="space-between" align="flex-start" mb="lg" gap="sm" mih={36}>
        <Box miw={0} flex="1 1 240px">
          {/* A title that is cut to three lines would cut the sides of its first and last letters too. */}
          <Title id={pageTitleId} order={1} size="h2" lineClamp={3} mx={-4} px={4}>
            <UntrustedText>{title}</UntrustedText>
          </Title>
          {lead === undefined ? null : (
            <Text component="div" c="dimmed" mt={4} size="sm">
              {lead}
            </Text>
          )}
        </Box>
        {actions}
      </Group>
      {children}
    </Container>
  );
}

/** Sets the title of the window to that of a page, which may contain untrusted text. */
export function useWindowTitle(title: string): void {
  useDocumentTitle(`${replaceUnsafeCharacters(title)} · Media jobs`);
}

/** The id of the element that holds the current page. */
export const pageId = 'page';

/** The id of the page's main heading, which names it. */
export const pageTitleId = 'page-title';

/** Moves the focus to the page, so that screen readers and the Tab key continue there when the focused element is gone. */
export function focusPage(): void {
  document.getElementById(pageId)?.focus({ preventScroll: true });
}
