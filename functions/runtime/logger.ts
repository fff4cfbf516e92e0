import { Logger } from '@aws-lambda-powertools/logger';

/** Structured logs as JSON lines. Entries carry keys (`jobId`, `attempt`), never whole events or signed URLs. */
export const logger = new Logger({ serviceName: 'media-jobs' });

/** From here on every line carries the id of this invocation, and the keys given: a sandbox serves one at a time. */
export function beginLog(
  { awsRequestId }: { awsRequestId: string },
  keys: Record<string, string | number | undefined> = {},
): void {
  logger.resetKeys();
  logger.appendKeys({ requestId: awsRequestId, ...keys });
}
