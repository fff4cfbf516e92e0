import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientSettings } from './client-settings.ts';
import { ofJob } from './job-credentials.ts';

/** The DynamoDB client of a function; that of a worker acts for its job. */
export const dynamo = new DynamoDBClient({ ...clientSettings, ...ofJob });
