import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientTimeouts } from './timeouts.ts';

/** The client of DynamoDB, one for each function. */
export const dynamo = new DynamoDBClient(clientTimeouts);
