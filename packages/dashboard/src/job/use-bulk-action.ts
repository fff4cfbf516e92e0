import { useMutation, useQueryClient } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { useApi } from '../api/api-context.tsx';
import { notifyPartialSuccess, notifySuccess } from '../ui/action-button.tsx';
import { retryJob } from './retry-job.ts';
import { feedKey, jobQueryKey, setCachedJob } from './use-job.ts';

const maxConcurrentRequests = 4;

const verbs = {
  cancelJob: 'jobs cancelled',
  retryJob: 'jobs retried',
  deleteJob: 'jobs deleted',
  redeliverJob: 'webhooks resent',
} as const;

/** Does the same to several jobs, or to their webhooks, and reports how many failed and why. */
export function useBulkAction(action: keyof typeof verbs, onDone: () => void) {
  const { client } = useApi();
  const queries = useQueryClient();
  const act = async (jobId: string) => {
    const params = { id: jobId };
    if (action === 'cancelJob') return setCachedJob(queries, await client.cancelJob({ params }));
    if (action === 'retryJob') return setCachedJob(queries, await retryJob(client, jobId, () => crypto.randomUUID()));
    if (action === 'redeliverJob') return void (await client.redeliverJob({ params }));
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
      const title = `${results.length - failures.length} of ${results.length} ${verbs[action]}`;
      if (failure === undefined) notifySuccess(title);
      else notifyPartialSuccess(title, `${failures.length} failed: ${failure.reason?.message ?? failure.reason}`);
      if (action === 'deleteJob') void queries.resetQueries({ queryKey: ['jobs'] });
      void queries.invalidateQueries({ queryKey: [feedKey] });
      onDone();
    },
  });
}
