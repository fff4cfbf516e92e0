import type { JobPage } from '../../core/jobs/ports.ts';
import { logger } from './logger.ts';

/** Logs each job that a page leaves out because its record cannot be read. */
export function logUnreadable({ unreadable }: JobPage): void {
  for (const { ownerId, jobId, cause } of unreadable) {
    logger.error('A job is left out of a list: its record cannot be read', { ownerId, jobId, error: cause });
  }
}
