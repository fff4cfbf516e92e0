import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ban, RotateCcw } from 'lucide-react';
import pLimit from 'p-limit';
import { useApi } from '../api/api-context.tsx';
import { retryJob } from '../job/retry-job.ts';
import { setCachedJob } from '../job/use-job.ts';
import { notifyPartialSuccess, notifySuccess } from '../ui/action-button.tsx';
import classes from './bulk-actions.module.css';

/** The toolbar for selected jobs. It floats, so that selecting a job does not shift the list. */
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
    </Group>
  );
}

const maxConcurrentRequests = 4;

/** Cancels or retries several jobs and reports how many failed and why. */
function useBulkAction(action: 'cancelJob' | 'retryJob', onDone: () => void) {
  const { client } = useApi();
  const queries = useQueryClient();
  const request = (jobId: string) =>
    action === 'cancelJob'
      ? client.cancelJob({ params: { id: jobId } })
      : retryJob(client, jobId, () => crypto.randomUUID());
  const verb = action === 'cancelJob' ? 'cancelled' : 'retried';
  return useMutation({
    mutationFn: (jobIds: readonly string[]) => {
      const limit = pLimit(maxConcurrentRequests);
      const run = async (jobId: string) => setCachedJob(queries, await request(jobId));
      return Promise.allSettled(jobIds.map((jobId) => limit(run, jobId)));
    },
    onSuccess: (results) => {
      const failures = results.filter((result) => result.status === 'rejected');
      const [failure] = failures;
      const title = `${results.length - failures.length} of ${results.length} jobs ${verb}`;
      if (failure === undefined) notifySuccess(title);
      else notifyPartialSuccess(title, `${failures.length} failed: ${messageOf(failure.reason)}`);
      void queries.invalidateQueries({ queryKey: ['new-jobs'] });
      onDone();
    },
  });
}

function messageOf(error: unknown): string {
  return String(error instanceof Error ? error.message : error);
}
