import { randomBytes, randomUUID } from 'node:crypto';
import { keyTable } from '../../../adapters/dynamodb/key-table.ts';
import { newApiKey } from '../../../core/access/api-key.ts';
import { createKeyRecord } from '../../../core/access/key-record.ts';
import { allScopes } from '../../../core/access/scopes.ts';
import { withStageTable } from '../../../local/stage-table.ts';
import type { HostedStage } from './hosted-stage.ts';

/** An API key of an owner without jobs. */
export async function newOwnerKey(stage: HostedStage): Promise<string> {
  const key = newApiKey(randomBytes);
  const ids = { ownerId: randomUUID(), keyId: randomUUID() };
  const record = createKeyRecord(key, { ...ids, name: 'bench', scopes: allScopes, now: new Date() });
  await withStageTable(stage, (client, tableName) => keyTable(client, tableName).create(record));
  return key;
}
