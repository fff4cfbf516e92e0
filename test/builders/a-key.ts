import { randomBytes, randomUUID } from 'node:crypto';
import { keyTable } from '../../adapters/dynamodb/key-table.ts';
import { hashApiKey, newApiKey, previewApiKey } from '../../core/access/api-key.ts';
import type { Stage } from '../../local/stage.ts';
import { withStageTable } from '../../local/stage-table.ts';

/** A new API key of an owner, put into the stage's table behind the API's back. */
export async function aKeyOf(stage: Stage, ownerId: string, name = 'test'): Promise<string> {
  const key = newApiKey(randomBytes);
  const named = { ownerId, keyId: randomUUID(), name, createdAt: new Date().toISOString() };
  await withStageTable(stage, (client, tableName) =>
    keyTable(client, tableName).create({ ...named, hash: hashApiKey(key), preview: previewApiKey(key) }),
  );
  return key;
}
