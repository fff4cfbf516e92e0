import { Logger } from '@aws-lambda-powertools/logger';

/** Structured logs as JSON lines. Entries carry keys (`jobId`, `attempt`), never whole events or signed URLs. */
export const logger = new Logger({ serviceName: 'media-jobs' });
