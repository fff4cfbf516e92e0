import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientSettings } from './client-settings.ts';

/** The client of DynamoDB, one for each function. */
export const dynamo = new DynamoDBClient(clientSettings);
