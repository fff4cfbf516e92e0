import type { EndedJob } from '../../core/jobs/job.ts';
import type { FileLinks } from '../../core/jobs/ports.ts';
import { resultFiles } from '../../core/jobs/view.ts';
import { terminalEvent } from '../../core/webhooks/event.ts';
import { webhookId } from '../../core/webhooks/names.ts';
import { type PostingPorts, signingSecrets } from '../posting/post-signed.ts';

export type MessagePorts = PostingPorts & { files: FileLinks };

/** What a job's webhook says on this attempt, under its id, and the secrets to sign it with. */
export type Message = { id: string; body: string; secrets: readonly string[] };

/** Renders a job's webhook; its signed URLs are made anew each time. */
export async function renderMessage(ports: MessagePorts, job: EndedJob): Promise<Message> {
  const [files, secrets] = await Promise.all([
    resultFiles(job, ports.files, ports.clock.now()),
    signingSecrets(ports, job.ownerId),
  ]);
  return { id: webhookId(job.jobId), body: JSON.stringify(terminalEvent(job, files)), secrets };
}
