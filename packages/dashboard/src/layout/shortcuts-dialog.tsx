import '../styles/deferred.ts';
import { Group, Kbd, Modal, Stack, Switch, Text } from '@mantine/core';
import { ticked } from '../ui/typed.ts';
import { useShortcutsEnabled } from '../ui/use-shortcuts.ts';

const shortcuts = [
  ['N', 'New job'],
  ['1 – 9', 'Pages of the menu, from the top'],
  ['J  K', 'Next and previous job in the list'],
  ['Enter', 'Open job'],
  ['X', 'Select job'],
  ['Esc', 'Clear selection'],
  ['?', 'Show shortcuts'],
] as const;

/** Lists the keyboard shortcuts, with a switch that disables them. */
export function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [isEnabled, setIsEnabled] = useShortcutsEnabled();
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts">
      <Stack gap="xs">
        {shortcuts.map(([keys, meaning]) => (
          <Group key={keys} justify="space-between">
            <Text size="sm">{meaning}</Text>
            <Kbd>{keys}</Kbd>
          </Group>
        ))}
        <Switch
          mt="xs"
          label="Enable shortcuts"
          description="Saved in this browser."
          {...ticked(isEnabled, setIsEnabled)}
        />
      </Stack>
    </Modal>
  );
}
