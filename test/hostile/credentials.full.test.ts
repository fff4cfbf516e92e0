// @module-tag requests
import { randomBytes } from 'node:crypto';
import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { roleCredentials } from '@media-jobs/local-stage/permissions';
import { beforeAll, describe, expect, it } from 'vitest';
import { hashApiKey, newApiKey } from '../../core/access/key-record.ts';
import { aClosedStage, type ClosedStage } from './closed-stage.ts';
import type { RawRequest } from './raw-request.ts';
import { expectRejection, unauthorized } from './rejection.ts';

const none = 'Send one API key, as Authorization: Bearer or as X-API-KEY.';
const malformed = 'The API key is not valid: it may be truncated or altered.';
const unknown = 'The API key is unknown or was revoked.';

const authorization = (...values: string[]): RawRequest => ({
  headers: values.map((value) => ['Authorization', value]),
});
const bearer = (credential: string) => authorization(`Bearer ${credential}`);
const apiKey = (...values: string[]): RawRequest => ({
  headers: values.map((value) => ['X-API-KEY', value]),
});
const both = (one: string, other: string): RawRequest => ({
  headers: [
    ['Authorization', `Bearer ${one}`],
    ['X-API-KEY', other],
  ],
});
const query = (text: string): RawRequest => ({ target: `/api/v1/jobs?${text}` });
const stranger = newApiKey(randomBytes);

/** The last column is the number of reads of the key table. */
const rejected: [name: string, request: (key: string) => RawRequest, message: string, reads: number][] = [
  ['none', () => ({}), none, 0],
  ['a tab after the scheme', (key) => authorization(`Bearer\t${key}`), none, 0],
  ['a good checksum of a key that nobody has', () => bearer(stranger), unknown, 1],
  ['a space after it, encoded', (key) => bearer(`${key}%20`), malformed, 0],
  ['a space after it that does not break', (key) => bearer(`${key}\xa0`), malformed, 0],
  ['a letter beyond ASCII in UTF-8', (key) => bearer(`${key.slice(0, -2)}\xc3\xa9`), malformed, 0],
  ['a letter beyond ASCII in Latin-1', (key) => apiKey(`${key.slice(0, -1)}\xe9`), malformed, 0],
  ['nine kilobytes', () => bearer('a'.repeat(9_000)), malformed, 0],
  ['the key in the query', (key) => query(`api_key=${key}`), none, 0],
  ['the key in the query, named as a token', (key) => query(`access_token=${key}`), none, 0],
  ['the key in a cookie', (key) => ({ headers: [['Cookie', `X-API-KEY=${key}`]] }), none, 0],
  ['Authorization twice', (key) => authorization(`Bearer ${key}`, `Bearer ${key}`), malformed, 0],
  ['X-API-KEY twice', (key) => apiKey(key, key), malformed, 0],
  ['both headers, the second empty', (key) => both(key, ''), none, 0],
];

let world: ClosedStage;
beforeAll(async () => {
  world = await aClosedStage();
});

const send = (request: RawRequest) => world.raw({ target: '/api/v1/jobs', ...request });

describe('a request', () => {
  it.each(rejected)('with %s is rejected', async (_, request, message, reads) => {
    world.stage.resetCalls();
    const answer = await send(request(world.alice.key));
    expectRejection(answer, unauthorized(message));
    expect(answer.headers['x-amzn-remapped-www-authenticate']).toBe('Bearer');
    const { GetItem = 0, BatchGetItem = 0 } = world.stage.calls().dynamodb;
    expect(GetItem + BatchGetItem).toBe(reads);
  });
});

describe('the role of', () => {
  /** A client with the credentials of the function whose role begins with this name. */
  const clientOf = (role: string) => {
    const { stage } = world;
    const holder = stage
      .permissions()
      .statements.find((one) => one.holder.includes(`${role}identityrole`.toLowerCase()))?.holder;
    return new DynamoDBClient({
      endpoint: stage.endpoints.dynamodb,
      region: 'us-east-1',
      credentials: roleCredentials(`arn:aws:iam::000000000000:role/${holder}`),
      maxAttempts: 1,
    });
  };
  const workers = [
    ...['Transcoder', 'EncodeChunk', 'JoinChunks'].map((role) => [role, 'no'] as const),
    ...['OpenJob', 'DeliverWebhook', 'Reconcile'].map((role) => [role, 'a'] as const),
  ];

  it.each(workers)('%s reads %s job without a session, and reads and writes no API key', async (role, read) => {
    const client = clientOf(role);
    const TableName = world.stage.resources.tables[0];
    const keyOf = (pk: string, sk: string) => ({ pk: { S: pk }, sk: { S: sk } });
    const byHash = keyOf(`KEYHASH#${hashApiKey(world.alice.key)}`, 'KEY');
    const job = keyOf(`OWNER#${world.alice.ownerId}`, 'JOB#1');
    const list = {
      KeyConditionExpression: 'pk = :keys',
      ExpressionAttributeValues: { ':keys': { S: `KEYS#${world.alice.ownerId}` } },
    };
    const denied = { name: 'AccessDeniedException' };
    const reading = client.send(new GetItemCommand({ TableName, Key: job }));
    if (read === 'a') expect((await reading).$metadata).toMatchObject({ httpStatusCode: 200 });
    else await expect(reading).rejects.toMatchObject(denied);
    await expect(client.send(new GetItemCommand({ TableName, Key: byHash }))).rejects.toMatchObject(denied);
    await expect(client.send(new PutItemCommand({ TableName, Item: byHash }))).rejects.toMatchObject(denied);
    const listing = client.send(new QueryCommand({ TableName, ...list }));
    // An erasure removes the keys of an owner.
    if (role === 'Reconcile') expect((await listing).Count).toBeGreaterThan(0);
    else await expect(listing).rejects.toMatchObject(denied);
  });
});
