import { Box, Group, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

type Props = { tone: 'error' | 'warning'; title: string; children: ReactNode; urgent?: boolean };

/** A message about an error or a warning; `urgent` announces it to screen readers. */
export function Callout({ tone, title, children, urgent = false }: Props) {
  const color = `var(--tone-${tone})`;
  const border = `1px solid color-mix(in srgb, ${color} 40%, transparent)`;
  const background = `color-mix(in srgb, ${color} 6%, transparent)`;
  return (
    <Group
      wrap="nowrap"
      align="flex-start"
      gap={12}
      p={16}
      bdrs={10}
      fz={14}
      style={{ border, background }}
      role={urgent ? 'alert' : undefined}
    >
      <CircleAlert size={20} aria-hidden color={color} style={{ flex: 'none' }} />
      <Box miw={0}>
        <Text inherit mb={4} fw={650}>
          {title}
        </Text>
        {children}
      </Box>
    </Group>
  );
}
