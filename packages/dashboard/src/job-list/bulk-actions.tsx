import '../styles/deferred.ts';

import { Button, Group, Text } from '@mantine/core';
import { Ban, RotateCcw, Trash2 } from 'lucide-react';
import { useBulkAction } from '../job/use-bulk-action.ts';
import { SmallButton } from '../ui/action-button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import classes from './bulk-actions.module.css';

/** The toolbar for selected jobs. It floats, so that selecting a job does not shift the list. */
export function BulkActions({ selected, onClear }: { selected: ReadonlySet<string>; onClear: () => void }) {
  const cancel = useBulkAction('cancelJob', onClear);
  const retry = useBulkAction('retryJob', onClear);
  const remove = useBulkAction('deleteJob', onClear);
  const isBusy = cancel.isPending || retry.isPending || remove.isPending;
  const jobIds = [...selected];
  return (
    <Group className={classes.bar} gap="xs" role="toolbar" aria-label="Selected jobs">
      <Text size="sm" fw={600} className="numbers" role="status">
        {selected.size} selected
      </Text>
      <Button size="xs" variant="subtle" color="gray" c="var(--mantine-color-text)" onClick={onClear}>
        Clear
      </Button>
      <SmallButton Icon={Ban} className={classes.action} disabled={isBusy} onClick={() => cancel.mutate(jobIds)}>
        Cancel jobs
      </SmallButton>
      <SmallButton Icon={RotateCcw} className={classes.action} disabled={isBusy} onClick={() => retry.mutate(jobIds)}>
        Retry jobs
      </SmallButton>
      <ConfirmButton
        label="Delete jobs"
        Icon={Trash2}
        question={selected.size === 1 ? 'Delete this job?' : `Delete ${selected.size} jobs?`}
        consequence="This deletes the jobs and their files, and their download links stop working. Jobs that still run stay: cancel them first. Files at a storage provider stay. You cannot undo this."
        confirm={selected.size === 1 ? 'Delete job' : `Delete ${selected.size} jobs`}
        action={{ isPending: isBusy, mutate: () => remove.mutate(jobIds) }}
      />
    </Group>
  );
}
