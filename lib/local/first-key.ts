import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stage } from '@media-jobs/local-stage';
import { keyTable } from '../../adapters/dynamodb/key-table.ts';
import { ownerSalt } from '../../adapters/dynamodb/owner-salt.ts';
import { createKeyRecord, hashApiKey, newApiKey } from '../../core/access/key-record.ts';
import { allScopes } from '../../core/access/scopes.ts';
import { localOwnerId } from '../settings/local-owner.ts';
import { withStageTable } from './stage-table.ts';

/**
 * A valid API key of the stage with every scope: that of an earlier start, else a new one. The data directory stores
 * the key, readable by its user only, because the table stores just the hash.
 */
export async function firstApiKey(stage: Stage, dataDirectory: string): Promise<string> {
  const file = join(dataDirectory, 'api-key');
  const storedKey = await readFile(file, 'utf8').catch(() => undefined);
  const key = storedKey ?? newApiKey(randomBytes);
  await withStageTable(stage, async (client, tableName) => {
    await ownerSalt(client, tableName, (size) => Buffer.alloc(size))();
    const keys = keyTable(client, tableName);
    const found = await keys.findByHash(hashApiKey(key));
    // An earlier version may have created the key with fewer scopes, or for the same user by another id.
    const isOfUser = found?.ownerId === localOwnerId;
    if (isOfUser && allScopes.every((scope) => found.scopes.includes(scope))) return;
    const named = { ownerId: localOwnerId, keyId: found?.keyId ?? randomUUID(), name: 'local' };
    await keys.create(createKeyRecord(key, { ...named, scopes: allScopes, now: new Date() }));
  });
  if (storedKey === undefined) {
    await mkdir(dataDirectory, { recursive: true });
    await writeFile(file, key, { mode: 0o600 });
  }
  return key;
}
