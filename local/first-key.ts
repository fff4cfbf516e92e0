import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { keyTable } from '../adapters/dynamodb/key-table.ts';
import { hashApiKey, newApiKey, previewApiKey } from '../core/access/api-key.ts';
import { region } from './aws-names.ts';
import type { Stage } from './stage.ts';

/** Who owns what is done with the first key. */
const ownerId = 'local';

/**
 * An API key of the stage that works: the one that an earlier start made, else a new one. The key itself is kept in
 * the data directory, readable by its user only, since the table has just its hash.
 */
export async function firstApiKey(stage: Stage, dataDirectory: string): Promise<string> {
  const [tableName] = stage.resources.tables;
  if (tableName === undefined) throw new Error('The template has no table to keep an API key in.');
  const file = join(dataDirectory, 'api-key');
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  const key = kept ?? newApiKey(randomBytes);
  const client = new DynamoDBClient({
    endpoint: stage.endpoints.dynamodb,
    region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const keys = keyTable(client, tableName);
  const hash = hashApiKey(key);
  if (!(await keys.findByHash(hash))) {
    const createdAt = new Date().toISOString();
    await keys.create({
      ownerId,
      keyId: randomUUID(),
      name: 'local',
      hash,
      preview: previewApiKey(key),
      createdAt,
    });
  }
  client.destroy();
  if (kept === undefined) {
    await mkdir(dataDirectory, { recursive: true });
    await writeFile(file, key, { mode: 0o600 });
  }
  return key;
}
