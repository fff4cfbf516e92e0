import { SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings } from './client-settings.ts';

/** The SQS client of a function. It uses the configured endpoint, not the host of the queue's URL. */
export const sqs = new SQSClient({ ...clientSettings, useQueueUrlAsEndpoint: false });
