import '../styles/deferred.ts';
import { Group, Kbd, Modal, Stack, Switch, Text } from '@mantine/core';
import { useShortcutsEnabled } from '../ui/use-shortcuts.ts';

const described = [
  ['N', 'New job'],
  ['1 – 4', 'Jobs, usage, API keys, settings'],
  ['J  K', 'Next and previous job in the list'],
  ['Enter', 'Open the job'],
  ['X', 'Select the job'],
  ['Esc', 'Select no job'],
  ['?', 'These shortcuts'],
] as const;

/** The keys of the keyboard that do something, and the choice whether they do. */
export function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [areOn, setAreOn] = useShortcutsEnabled();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
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
        <Switch
          mt="xs"
          label="Use these keys"
          description="This browser remembers it."
          checked={areOn}
          onChange={({ currentTarget }) => setAreOn(currentTarget.checked)}
        />
      </Stack>
    </Modal>
  );
}
