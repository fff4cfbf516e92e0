import { randomUUID } from 'node:crypto';
import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientOptions, createTables } from '@media-jobs/local-stage/emulators';
import { closeServer, listenOnLoopback } from '@media-jobs/local-stage/http';
import { afterUse } from '@media-jobs/testing/after-use';
import dynalite from 'dynalite';
import { inject } from 'vitest';

const key = (AttributeName: string, KeyType: 'HASH' | 'RANGE') => ({ AttributeName, KeyType });
const Projection = { ProjectionType: 'KEYS_ONLY' as const };

/** The keys and indexes of the deployed job table. */
const table = {
  BillingMode: 'PAY_PER_REQUEST' as const,
  AttributeDefinitions: 'pk sk stateKey nameSort duePartition dueAt waitingPartition waitingSort'
    .split(' ')
    .map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
  KeySchema: [key('pk', 'HASH'), key('sk', 'RANGE')],
  GlobalSecondaryIndexes: [
    { IndexName: 'byState', KeySchema: [key('stateKey', 'HASH'), key('sk', 'RANGE')], Projection },
    { IndexName: 'byName', KeySchema: [key('pk', 'HASH'), key('nameSort', 'RANGE')], Projection },
    { IndexName: 'waiting', KeySchema: [key('waitingPartition', 'HASH'), key('waitingSort', 'RANGE')], Projection },
    { IndexName: 'due', KeySchema: [key('duePartition', 'HASH'), key('dueAt', 'RANGE')], Projection },
  ],
};

export type DynaliteTable = { client: DynamoDBClient; tableName: string; endpoint: string; stop: () => Promise<void> };

/**
 * An empty table of a stage, on a dynalite of its own in memory, or on moto where TEST_SERVICES names it. Stopped
 * after its use.
 */
export async function aDynaliteTable(tableName = 'jobs'): Promise<DynaliteTable> {
  const moto = inject('dynamodb');
  if (moto !== undefined) return aMotoTable(moto, tableName);
  const server = dynalite({ createTableMs: 0 });
  const endpoint = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  await createTables(endpoint, [{ name: tableName, ...table }]);
  const client = limitExpressions(new DynamoDBClient(clientOptions(endpoint)));
  const stop = afterUse(async () => {
    client.destroy();
    server.closeAllConnections();
    await closeServer(server);
  });
  return { client, tableName, endpoint, stop };
}

/** An expression has at most 4 KB in DynamoDB ("Quotas"), and no value of a key is empty. dynalite accepts both. */
const maxExpressionBytes = 4_096;

function limitExpressions(client: DynamoDBClient): DynamoDBClient {
  client.middlewareStack.add(
    (next) => (args) => {
      for (const [name, value] of Object.entries(args.input)) {
        if (!name.endsWith('Expression') || typeof value !== 'string') continue;
        const bytes = Buffer.byteLength(value);
        if (name === 'KeyConditionExpression' && JSON.stringify(args.input).includes('"S":""'))
          throw new Error('The AttributeValue for a key attribute cannot contain an empty string value');
        if (bytes > maxExpressionBytes)
          throw new Error(`Invalid ${name}: it has ${bytes} bytes, the limit is ${maxExpressionBytes}`);
      }
      return next(args);
    },
    { step: 'initialize' },
  );
  return client;
}

/** moto serves all tests: each has a table of its own. */
async function aMotoTable(endpoint: string, name: string): Promise<DynaliteTable> {
  // One request at a time: moto does not write conditionally under concurrency.
  const requestHandler = { httpAgent: { maxSockets: 1 } };
  const client = new DynamoDBClient({ ...clientOptions(endpoint), requestHandler });
  const tableName = `${name}-${randomUUID()}`;
  await client.send(new CreateTableCommand({ TableName: tableName, ...table } as CreateTableCommandInput));
  return { client, tableName, endpoint, stop: afterUse(() => client.destroy()) };
}
