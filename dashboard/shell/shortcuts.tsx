import { Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';

const described = [
  ['N', 'New job'],
  ['1 – 4', 'Jobs, usage, API keys, settings'],
  ['J  K', 'Next and previous job in the list'],
  ['Enter', 'Open the job'],
  ['X', 'Select the job'],
  ['?', 'These shortcuts'],
] as const;

/** The keys that work on every page, and the dialog that tells of all keys. */
export function Shortcuts() {
  const navigate = useNavigate();
  const [opened, { open, close }] = useDisclosure(false);
  useHotkeys([
    ['n', () => void navigate({ to: '/new' })],
    ['1', () => void navigate({ to: '/jobs' })],
    ['2', () => void navigate({ to: '/usage' })],
    ['3', () => void navigate({ to: '/keys' })],
    ['4', () => void navigate({ to: '/settings' })],
    ['shift+?', open],
  ]);
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Keyboard shortcuts"
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="xs">
        {described.map(([keys, meaning]) => (
          <Group key={keys} justify="space-between">
            <Text size="sm">{meaning}</Text>
            <Kbd>{keys}</Kbd>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}
