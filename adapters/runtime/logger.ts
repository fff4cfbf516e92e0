import { Logger } from '@aws-lambda-powertools/logger';
import type { JobPage } from '../../core/jobs/ports.ts';

/** Structured logs as JSON lines. Entries have keys (`jobId`, `chunk`), never whole events or signed URLs. */
export const logger = new Logger({ serviceName: 'media-jobs' });

let current: string | undefined;

/** The id of the current invocation; undefined before the first one. */
export function currentRequestId(): string | undefined {
  return current;
}

/** Adds this invocation's id and the given keys to every following line. A sandbox serves one invocation at a time. */
export function startInvocationLog(
  { awsRequestId }: { awsRequestId: string },
  keys: Record<string, string | number | undefined> = {},
): void {
  current = awsRequestId;
  logger.resetKeys();
  logger.appendKeys({ requestId: awsRequestId, ...keys });
}

/** Logs an error that ends the invocation and rethrows it. The platform's own log line does not name the job. */
export async function logFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    logger.error('The invocation failed', { error });
    throw error;
  }
}

/** Logs that a queued job has no message: its owner need not know, since reconcile sends the message. */
export function logUnsentMessage({ jobId }: { jobId: string }, error: unknown): void {
  logger.warn('The message of a queued job was not sent. Reconcile sends it within two minutes', { jobId, error });
}

export function logUnreadable({ unreadable }: JobPage): void {
  for (const { ownerId, jobId, cause } of unreadable) {
    logger.error('A job is left out of a list: its record cannot be read', { ownerId, jobId, error: cause });
  }
}
