import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientSettings, ofJob } from './client-settings.ts';

/** The DynamoDB client of a function; that of a worker acts for its job. */
export const dynamo = new DynamoDBClient({ ...clientSettings, ...ofJob });
