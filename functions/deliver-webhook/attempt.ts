import type { Clock, JobTable } from '../../core/jobs/ports.ts';
import type { PostOutcome } from '../../core/net/post-outcome.ts';
import type { AttemptOutcome, DeliveryAttempt } from '../../core/webhooks/attempt.ts';
import type { DeliveryInput, DeliveryJournal } from '../../core/webhooks/ports.ts';
import { postSignedWebhook } from '../webhooks/post-signed-webhook.ts';
import type { RenderWebhookDeps, WebhookMessage } from './render-webhook.ts';

export type AttemptDeps = RenderWebhookDeps & {
  jobs: JobTable;
  journal: Pick<DeliveryJournal, 'open' | 'close' | 'get'>;
  clock: Clock;
  newId: () => string;
};

const journalSeconds = 30 * 24 * 3600;

/**
 * Writes an attempt down, waits for its time, makes its POST and records the outcome. Where the attempt exists
 * already, nothing is sent: it is returned as it was recorded. Undefined where another writer has closed it.
 */
export async function makeAttempt(
  ports: AttemptDeps,
  { message, url, input }: { message: WebhookMessage; url: string; input: DeliveryInput },
): Promise<DeliveryAttempt | undefined> {
  const { journal, clock } = ports;
  const mine = newAttempt(ports, { url, input });
  const opened = await journal.open(mine);
  if (!opened.written) return opened.current;

  await clock.sleep(input.notBefore - clock.now().getTime());
  const posted = await postSignedWebhook(ports, { ...message, url });
  const outcome = outcomeOf(posted, clock.now());
  const closed = await journal.close({ ...mine, outcome });
  return closed.written ? { ...mine, outcome } : undefined;
}

function newAttempt(
  { clock, newId }: AttemptDeps,
  { url, input }: { url: string; input: DeliveryInput },
): DeliveryAttempt {
  const { ownerId, jobId, deliveryId, attempt, notBefore } = input;
  const startsAt = Math.max(clock.now().getTime(), notBefore);
  return {
    ownerId,
    jobId,
    deliveryId,
    attempt,
    writerId: newId(),
    startedAt: new Date(startsAt).toISOString(),
    url,
    expiresAt: Math.ceil(startsAt / 1000) + journalSeconds,
  };
}

function outcomeOf({ ok, ...facts }: PostOutcome, endedAt: Date): AttemptOutcome {
  return { ...facts, delivered: ok, endedAt: endedAt.toISOString() };
}
