import { isTerminal, type Job } from './record.ts';

export const webhookStates = ['pending', 'delivered', 'failed'] as const;

export type WebhookState = (typeof webhookStates)[number];

/** The delivery of an ended job's webhook; undefined without a target. The path of a target may be a secret. */
export function webhookOf(job: Job): { state: WebhookState; host: string } | undefined {
  if (!isTerminal(job) || job.webhookTarget === null) return undefined;
  const { host } = new URL(job.webhookTarget);
  if (job.pendingDelivery !== undefined) return { state: 'pending', host };
  return { state: job.deliveryOutcome === 'delivered' ? 'delivered' : 'failed', host };
}
