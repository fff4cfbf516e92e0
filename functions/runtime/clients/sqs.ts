import { SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings } from './client-settings.ts';

/** The client of SQS, one for each function. It sends to the endpoint, whatever host a queue's URL names. */
export const sqs = new SQSClient({ ...clientSettings, useQueueUrlAsEndpoint: false });
