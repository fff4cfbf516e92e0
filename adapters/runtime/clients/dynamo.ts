import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientSettings } from './client-settings.ts';

/** The DynamoDB client of a function. */
export const dynamo = new DynamoDBClient(clientSettings);
