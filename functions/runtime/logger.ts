import { Logger } from '@aws-lambda-powertools/logger';

/** Structured logs as JSON lines. Entries carry keys (`jobId`, `part`), never whole events or signed URLs. */
export const logger = new Logger({ serviceName: 'media-jobs' });

let current: string | undefined;

/** The id of the invocation that is served; undefined before the first one. */
export function currentRequestId(): string | undefined {
  return current;
}

/** From here on every line carries the id of this invocation, and the keys given: a sandbox serves one at a time. */
export function startInvocationLog(
  { awsRequestId }: { awsRequestId: string },
  keys: Record<string, string | number | undefined> = {},
): void {
  current = awsRequestId;
  logger.resetKeys();
  logger.appendKeys({ requestId: awsRequestId, ...keys });
}

/** Logs what ends an invocation, and throws it on: the platform's own line about it names no job. */
export async function logFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    logger.error('The invocation failed', { error });
    throw error;
  }
}
