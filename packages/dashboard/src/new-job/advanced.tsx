import { Box, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/** Fields that most jobs leave alone. They are open if one has a value or a problem. */
export function Advanced({ title, isSet, children }: { title: string; isSet: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Box
      component="details"
      mt={20}
      open={isOpen || isSet}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <Text component="summary" px={4} py={2} fz={13} fw={600}>
        {title}
      </Text>
      <Box mt="md">{children}</Box>
    </Box>
  );
}
