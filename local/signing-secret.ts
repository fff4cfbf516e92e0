import { randomBytes } from 'node:crypto';
import { settingsTable } from '../adapters/dynamodb/settings-table.ts';
import { newSigningSecret } from '../core/webhooks/signature.ts';
import type { Stage } from './stage.ts';
import { localOwnerId, withStageTable } from './stage-table.ts';

/** The secret that signs the webhooks of the first key's owner, made here if no webhook has been sent yet. */
export async function signingSecret(stage: Stage): Promise<string> {
  const secrets = await withStageTable(stage, (client, tableName) =>
    settingsTable(client, tableName).ensureSecrets(localOwnerId, { current: newSigningSecret(randomBytes) }),
  );
  return secrets.current;
}
