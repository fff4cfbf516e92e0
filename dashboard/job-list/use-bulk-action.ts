import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { retryJob } from '../job/retry-job.ts';
import { setCachedJob } from '../job/use-job.ts';
import { notifySuccess } from '../ui/notify.ts';

const atOnce = 4;

type Outcome = { done: number; refused: string[] };

/** Cancels or retries many jobs, a few at a time, and says how many it could not and why. */
export function useBulkAction(action: 'cancelJob' | 'retryJob', onDone: () => void) {
  const { client } = useApi();
  const queries = useQueryClient();
  const act = (jobId: string) =>
    action === 'cancelJob'
      ? client.cancelJob({ params: { id: jobId } })
      : retryJob(client, jobId, () => crypto.randomUUID());
  const verb = action === 'cancelJob' ? 'cancelled' : 'tried again';
  return useMutation({
    mutationFn: async (jobIds: readonly string[]): Promise<Outcome> => {
      const waiting = [...jobIds];
      const outcome: Outcome = { done: 0, refused: [] };
      const work = async () => {
        for (let jobId = waiting.shift(); jobId !== undefined; jobId = waiting.shift()) {
          try {
            const job = await act(jobId);
            await setCachedJob(queries, job);
            outcome.done += 1;
          } catch (error) {
            outcome.refused.push(String(error instanceof Error ? error.message : error));
          }
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      return outcome;
    },
    onSuccess: ({ done, refused }) => {
      const [reason] = refused;
      notifySuccess(
        `${done} of ${done + refused.length} jobs ${verb}`,
        reason === undefined ? '' : `${refused.length} refused: ${reason}`,
        refused.length > 0,
      );
      void queries.invalidateQueries({ queryKey: ['new-jobs'] });
      onDone();
    },
  });
}
