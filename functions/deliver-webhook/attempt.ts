import type { EndedJob } from '../../core/jobs/job.ts';
import type { Clock, JobTable, MediaFiles } from '../../core/jobs/ports.ts';
import { resultFiles } from '../../core/jobs/view.ts';
import type { PostOutcome } from '../../core/net/post-outcome.ts';
import type { AttemptOutcome, DeliveryAttempt } from '../../core/webhooks/attempt.ts';
import { terminalEvent } from '../../core/webhooks/event.ts';
import { webhookId } from '../../core/webhooks/names.ts';
import type { DeliveryInput, DeliveryJournal } from '../../core/webhooks/ports.ts';
import { type PostingPorts, postSigned, signingSecrets } from '../posting/post-signed.ts';

export type AttemptPorts = PostingPorts & {
  jobs: JobTable;
  journal: Pick<DeliveryJournal, 'open' | 'close' | 'get'>;
  files: Pick<MediaFiles, 'signDownload'>;
  clock: Clock;
  newId: () => string;
};

const journalSeconds = 30 * 24 * 3600;

/**
 * Writes an attempt down, waits for its time, makes its POST and records the outcome. Where the attempt exists
 * already, nothing is sent: it is returned as it was recorded. Undefined where another writer has closed it.
 */
export async function makeAttempt(
  ports: AttemptPorts,
  { job, target, input }: { job: EndedJob; target: string; input: DeliveryInput },
): Promise<DeliveryAttempt | undefined> {
  const { journal, clock } = ports;
  const [body, secrets] = await Promise.all([renderBody(ports, job), signingSecrets(ports, job.ownerId)]);
  const mine = newAttempt(ports, { target, input });
  const opened = await journal.open(mine);
  if (!opened.written) return opened.current;

  await clock.sleep(input.notBefore - clock.now().getTime());
  const posted = await postSigned(ports, { id: webhookId(job.jobId), url: target, body, secrets });
  const outcome = outcomeOf(posted, clock.now());
  const closed = await journal.close({ ...mine, outcome });
  return closed.written ? { ...mine, outcome } : undefined;
}

function newAttempt(
  { clock, newId }: AttemptPorts,
  { target, input }: { target: string; input: DeliveryInput },
): DeliveryAttempt {
  const { ownerId, jobId, deliveryId, attempt, notBefore } = input;
  const startsAt = Math.max(clock.now().getTime(), notBefore);
  return {
    ...{ ownerId, jobId, deliveryId, attempt },
    writerId: newId(),
    startedAt: new Date(startsAt).toISOString(),
    url: target,
    expiresAt: Math.ceil(startsAt / 1000) + journalSeconds,
  };
}

async function renderBody({ files, clock }: AttemptPorts, job: EndedJob): Promise<string> {
  return JSON.stringify(terminalEvent(job, await resultFiles(job, files.signDownload, clock.now())));
}

function outcomeOf({ ok, ...facts }: PostOutcome, endedAt: Date): AttemptOutcome {
  return { ...facts, delivered: ok, endedAt: endedAt.toISOString() };
}
