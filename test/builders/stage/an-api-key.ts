import { randomBytes, randomUUID } from 'node:crypto';
import type { Stage } from '@media-jobs/local-stage';
import { keyTable } from '../../../adapters/dynamodb/key-table.ts';
import { createKeyRecord, type KeyRecord, newApiKey } from '../../../core/access/key-record.ts';
import { withStageTable } from '../../../lib/local/stage-table.ts';

/** A new API key of an owner, written directly to the stage's table. By default it has the default scopes. */
export async function anApiKeyOf(
  stage: Pick<Stage, 'endpoints' | 'resources'>,
  ownerId: string,
  { name = 'test', ...access }: Partial<Pick<KeyRecord, 'name' | 'scopes' | 'expiresAt'>> = {},
): Promise<string> {
  const key = newApiKey(randomBytes);
  const record = createKeyRecord(key, { ownerId, keyId: randomUUID(), name, ...access, now: new Date() });
  await withStageTable(stage, (client, tableName) => keyTable(client, tableName).create(record));
  return key;
}
