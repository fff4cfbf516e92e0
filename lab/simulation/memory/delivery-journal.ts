import { isDeepStrictEqual } from 'node:util';
import {
  type AttemptRef,
  type DeliveryAttempt,
  type DeliveryJournal,
  sortAttempts,
} from '../../../core/webhooks/delivery.ts';

/** The journal of delivery attempts in memory. `onWritten` is called for every write whose condition held. */
export function memoryDeliveryJournal({
  onWritten,
}: {
  onWritten?: (attempt: DeliveryAttempt) => void;
} = {}): DeliveryJournal {
  const jobs = new Map<string, Map<string, DeliveryAttempt>>();
  const attemptsOf = ({ ownerId, jobId }: { ownerId: string; jobId: string }) =>
    jobs.get(`${ownerId}#${jobId}`) ?? new Map<string, DeliveryAttempt>();
  const find = (ref: AttemptRef) => attemptsOf(ref).get(`${ref.deliveryId}#${ref.attempt}`);

  const put = async (attempt: DeliveryAttempt, mayWrite: boolean) => {
    const current = find(attempt);
    if (mayWrite) {
      const attempts = attemptsOf(attempt).set(`${attempt.deliveryId}#${attempt.attempt}`, attempt);
      jobs.set(`${attempt.ownerId}#${attempt.jobId}`, attempts);
      onWritten?.(attempt);
      return { written: true as const };
    }
    if (isDeepStrictEqual(current, attempt)) return { written: true as const };
    return { written: false as const, current };
  };

  return {
    open: (attempt) => put(attempt, find(attempt) === undefined),
    close: (attempt) => {
      const current = find(attempt);
      return put(attempt, current !== undefined && current.outcome === undefined);
    },
    get: async (ref) => find(ref),
    listLatest: async (of, limit) => sortAttempts([...attemptsOf(of).values()]).slice(-limit),
    list: async (of) =>
      sortAttempts(
        [...attemptsOf(of).values()].filter(
          ({ deliveryId }) => of.deliveryId === undefined || deliveryId === of.deliveryId,
        ),
      ),
    removeAll: async ({ ownerId, jobId }, { mayContinue = () => true } = {}) => {
      const attempts = attemptsOf({ ownerId, jobId });
      for (const key of [...attempts.keys()]) {
        attempts.delete(key);
        if (attempts.size > 0 && !mayContinue()) return 'incomplete';
      }
      return 'complete';
    },
  };
}
