import type { Clock } from '../../core/jobs/ports.ts';
import { type DeliveryAttempt, lostOutcome } from '../../core/webhooks/attempt.ts';
import type { AttemptRef, DeliveryJournal } from '../../core/webhooks/ports.ts';

/** The attempt before this one, if there is one. */
export async function previousAttempt(
  { journal }: { journal: Pick<DeliveryJournal, 'get'> },
  ref: AttemptRef,
): Promise<DeliveryAttempt | undefined> {
  return ref.attempt === 1 ? undefined : journal.get({ ...ref, attempt: ref.attempt - 1 });
}

/**
 * An attempt, closed: one that has no outcome lost its writer and counts as failed from now on, so that no 2xx is
 * recorded for it once the next one is on its way.
 */
export async function closeLostAttempt(
  { journal, clock }: { journal: Pick<DeliveryJournal, 'close'>; clock: Pick<Clock, 'now'> },
  attempt: DeliveryAttempt | undefined,
): Promise<DeliveryAttempt | undefined> {
  if (attempt === undefined || attempt.outcome !== undefined) return attempt;
  const lost = { ...attempt, outcome: lostOutcome(attempt, clock.now()) };
  const closed = await journal.close(lost);
  return closed.written ? lost : closed.current;
}
