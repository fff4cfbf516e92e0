import '../styles/deferred.ts';

import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ban, RotateCcw, Trash2 } from 'lucide-react';
import pLimit from 'p-limit';
import { useApi } from '../api/api-context.tsx';
import { retryJob } from '../job/retry-job.ts';
import { jobQueryKey, setCachedJob } from '../job/use-job.ts';
import { notifyPartialSuccess, notifySuccess } from '../ui/action-button.tsx';
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
      <Button
        size="xs"
        variant="default"
        className={classes.action}
        leftSection={<Ban size={14} aria-hidden />}
        disabled={isBusy}
        onClick={() => cancel.mutate(jobIds)}
      >
        Cancel jobs
      </Button>
      <Button
        size="xs"
        variant="default"
        className={classes.action}
        leftSection={<RotateCcw size={14} aria-hidden />}
        disabled={isBusy}
        onClick={() => retry.mutate(jobIds)}
      >
        Retry jobs
      </Button>
      <ConfirmButton
        label="Delete jobs"
        icon={<Trash2 size={14} aria-hidden />}
        question={selected.size === 1 ? 'Delete this job?' : `Delete ${selected.size} jobs?`}
        consequence="This deletes the jobs and their files, and their download links stop working. Jobs that still run stay: cancel them first. Files at a storage provider stay. You cannot undo this."
        confirm={selected.size === 1 ? 'Delete job' : `Delete ${selected.size} jobs`}
        isBusy={isBusy}
        onConfirm={() => remove.mutate(jobIds)}
      />
    </Group>
  );
}

const maxConcurrentRequests = 4;

const verbs = { cancelJob: 'cancelled', retryJob: 'retried', deleteJob: 'deleted' } as const;

/** Cancels, retries or deletes several jobs and reports how many failed and why. */
function useBulkAction(action: keyof typeof verbs, onDone: () => void) {
  const { client } = useApi();
  const queries = useQueryClient();
  const act = async (jobId: string) => {
    const params = { id: jobId };
    if (action === 'cancelJob') return setCachedJob(queries, await client.cancelJob({ params }));
    if (action === 'retryJob') return setCachedJob(queries, await retryJob(client, jobId, () => crypto.randomUUID()));
    await client.deleteJob({ params });
    queries.removeQueries({ queryKey: jobQueryKey(jobId) });
  };
  return useMutation({
    mutationFn: (jobIds: readonly string[]) => {
      const limit = pLimit(maxConcurrentRequests);
      return Promise.allSettled(jobIds.map((jobId) => limit(act, jobId)));
    },
    onSuccess: (results) => {
      const failures = results.filter((result) => result.status === 'rejected');
      const [failure] = failures;
      const title = `${results.length - failures.length} of ${results.length} jobs ${verbs[action]}`;
      if (failure === undefined) notifySuccess(title);
      else notifyPartialSuccess(title, `${failures.length} failed: ${messageOf(failure.reason)}`);
      if (action === 'deleteJob') void queries.resetQueries({ queryKey: ['jobs'] });
      void queries.invalidateQueries({ queryKey: ['new-jobs'] });
      onDone();
    },
  });
}

function messageOf(error: unknown): string {
  return String(error instanceof Error ? error.message : error);
}
