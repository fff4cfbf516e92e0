import type { Clock } from '../../core/jobs/ports.ts';
import { type DeliveryAttempt, lostOutcome } from '../../core/webhooks/attempt.ts';
import type { AttemptRef, DeliveryJournal } from '../../core/webhooks/ports.ts';

/**
 * The attempt before this one, closed: one that has no outcome lost its writer and counts as failed from now on, so
 * that no 2xx is recorded for it once the next one is on its way.
 */
export async function closePrevious(
  { journal, clock }: { journal: Pick<DeliveryJournal, 'get' | 'close'>; clock: Clock },
  ref: AttemptRef,
): Promise<DeliveryAttempt | undefined> {
  if (ref.attempt === 1) return undefined;
  const previous = await journal.get({ ...ref, attempt: ref.attempt - 1 });
  if (previous === undefined || previous.outcome !== undefined) return previous;
  const lost = { ...previous, outcome: lostOutcome(previous, clock.now()) };
  const closed = await journal.close(lost);
  return closed.written ? lost : closed.current;
}
