import type { EndedJob } from '../../core/jobs/job.ts';
import type { Clock, JobTable, MediaFiles } from '../../core/jobs/ports.ts';
import { resultFiles } from '../../core/jobs/view.ts';
import type { PostOutcome } from '../../core/net/post-outcome.ts';
import { activeSecrets, type SettingsTable } from '../../core/settings/owner-settings.ts';
import type { AttemptOutcome, DeliveryAttempt } from '../../core/webhooks/attempt.ts';
import { terminalEvent } from '../../core/webhooks/event.ts';
import { webhookId } from '../../core/webhooks/names.ts';
import type { DeliveryInput, DeliveryJournal } from '../../core/webhooks/ports.ts';
import { newSigningSecret, signatureHeaders } from '../../core/webhooks/signature.ts';

export type AttemptPorts = {
  jobs: JobTable;
  journal: Pick<DeliveryJournal, 'open' | 'close' | 'get'>;
  settings: Pick<SettingsTable, 'get' | 'ensureSecrets'>;
  files: Pick<MediaFiles, 'signDownload'>;
  post: (request: { url: string; headers: Record<string, string>; body: string }) => Promise<PostOutcome>;
  clock: Clock;
  newId: () => string;
  randomBytes: (size: number) => Uint8Array;
  /** Names the service and its version. */
  userAgent: string;
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
  const { ownerId, jobId, deliveryId, attempt } = input;
  const startsAt = Math.max(clock.now().getTime(), input.notBefore);
  const mine: DeliveryAttempt = {
    ...{ ownerId, jobId, deliveryId, attempt },
    writerId: ports.newId(),
    startedAt: new Date(startsAt).toISOString(),
    url: target,
    expiresAt: Math.ceil(startsAt / 1000) + journalSeconds,
  };
  const opened = await journal.open(mine);
  if (!opened.written) return opened.current;

  await clock.sleep(input.notBefore - clock.now().getTime());
  const outcome = await postSigned(ports, { id: webhookId(jobId), target, body, secrets });
  const closed = await journal.close({ ...mine, outcome });
  return closed.written ? { ...mine, outcome } : undefined;
}

async function renderBody({ files, clock }: AttemptPorts, job: EndedJob): Promise<string> {
  return JSON.stringify(terminalEvent(job, await resultFiles(job, files.signDownload, clock.now())));
}

async function signingSecrets(ports: AttemptPorts, ownerId: string): Promise<string[]> {
  const { signingSecrets: stored } = await ports.settings.get(ownerId);
  const secrets =
    stored ?? (await ports.settings.ensureSecrets(ownerId, { current: newSigningSecret(ports.randomBytes) }));
  return activeSecrets(secrets, ports.clock.now());
}

async function postSigned(
  { post, clock, userAgent }: AttemptPorts,
  { id, target, body, secrets }: { id: string; target: string; body: string; secrets: string[] },
): Promise<AttemptOutcome> {
  const timestampSeconds = Math.floor(clock.now().getTime() / 1000);
  const posted = await post({
    url: target,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...signatureHeaders({ id, timestampSeconds, body }, secrets),
    },
  });
  const { ok, ...facts } = posted;
  return { ...facts, delivered: ok, endedAt: clock.now().toISOString() };
}
