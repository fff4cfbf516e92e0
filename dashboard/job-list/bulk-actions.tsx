import { Button, Group, Text } from '@mantine/core';
import { Ban, RotateCcw } from 'lucide-react';
import classes from './bulk-actions.module.css';
import { useBulkAction } from './use-bulk-action.ts';

/** What can be done with the selected jobs; it floats, so that selecting moves nothing. */
export function BulkActions({ selected, onClear }: { selected: ReadonlySet<string>; onClear: () => void }) {
  const cancel = useBulkAction('cancelJob', onClear);
  const retry = useBulkAction('retryJob', onClear);
  const isBusy = cancel.isPending || retry.isPending;
  const jobIds = [...selected];
  return (
    <Group className={classes.bar} gap="xs" role="toolbar" aria-label="Selected jobs">
      <Text size="sm" fw={600} className="numbers" role="status">
        {selected.size} selected
      </Text>
      <Button
        size="xs"
        variant="default"
        leftSection={<Ban size={14} aria-hidden />}
        disabled={isBusy}
        onClick={() => cancel.mutate(jobIds)}
      >
        Cancel jobs
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<RotateCcw size={14} aria-hidden />}
        disabled={isBusy}
        onClick={() => retry.mutate(jobIds)}
      >
        Retry jobs
      </Button>
      <Button size="xs" variant="subtle" color="gray" c="var(--mantine-color-text)" onClick={onClear}>
        Clear
      </Button>
    </Group>
  );
}
