import type { FileLinks } from '../../core/jobs/ports.ts';
import type { TerminalJob } from '../../core/jobs/record.ts';
import { resultFiles } from '../../core/jobs/view.ts';
import { webhookId } from '../../core/webhooks/delivery.ts';
import { buildWebhookPayload } from '../../core/webhooks/payload.ts';
import { activeSigningSecrets, type PostWebhookDeps } from '../webhooks/post-signed-webhook.ts';

export type RenderWebhookDeps = PostWebhookDeps & { files: FileLinks };

/** What a job's webhook says on this attempt, under its id, and the secrets to sign it with. */
export type WebhookMessage = { id: string; body: string; secrets: readonly string[] };

/** Renders a job's webhook; its signed URLs are made anew each time. */
export async function renderWebhook(ports: RenderWebhookDeps, job: TerminalJob): Promise<WebhookMessage> {
  const [files, secrets] = await Promise.all([
    resultFiles(job, ports.files, ports.clock.now()),
    activeSigningSecrets(ports, job.ownerId),
  ]);
  return { id: webhookId(job.jobId), body: JSON.stringify(buildWebhookPayload(job, files)), secrets };
}
