import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyTable } from '../adapters/dynamodb/key-table.ts';
import { newApiKey } from '../core/access/api-key.ts';
import { createKeyRecord } from '../core/access/key-record.ts';
import type { Stage } from './stage.ts';
import { localOwnerId, withStageTable } from './stage-table.ts';

/**
 * An API key of the stage that works: the one that an earlier start made, else a new one. The key itself is kept in
 * the data directory, readable by its user only, since the table has just its hash.
 */
export async function firstApiKey(stage: Stage, dataDirectory: string): Promise<string> {
  const file = join(dataDirectory, 'api-key');
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  const key = kept ?? newApiKey(randomBytes);
  await withStageTable(stage, async (client, tableName) => {
    const keys = keyTable(client, tableName);
    const named = { ownerId: localOwnerId, keyId: randomUUID(), name: 'local' };
    const record = createKeyRecord(key, { ...named, now: new Date() });
    if (!(await keys.findByHash(record.hash))) await keys.create(record);
  });
  if (kept === undefined) {
    await mkdir(dataDirectory, { recursive: true });
    await writeFile(file, key, { mode: 0o600 });
  }
  return key;
}
