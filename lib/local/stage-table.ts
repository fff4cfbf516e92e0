import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Stage } from '@media-jobs/local-stage';
import { clientOptions } from '@media-jobs/local-stage/emulators';
import { settingsTable } from '../../adapters/dynamodb/settings-table.ts';
import { newSigningSecret } from '../../core/webhooks/signature.ts';
import { localOwnerId } from '../settings/local-owner.ts';

/** Accesses the table of the stage directly, without the API. */
export async function withStageTable<T>(
  stage: Pick<Stage, 'endpoints' | 'resources'>,
  work: (client: DynamoDBClient, tableName: string) => Promise<T>,
): Promise<T> {
  const [tableName] = stage.resources.tables;
  if (tableName === undefined) throw new Error('The template has no table.');
  const client = new DynamoDBClient(clientOptions(stage.endpoints.dynamodb));
  try {
    return await work(client, tableName);
  } finally {
    client.destroy();
  }
}

/** The webhook signing secret of the local owner. Created if no webhook has been sent yet. */
export async function signingSecret(stage: Pick<Stage, 'endpoints' | 'resources'>): Promise<string> {
  const secrets = await withStageTable(stage, (client, tableName) =>
    settingsTable(client, tableName).ensureSecrets(localOwnerId, { current: newSigningSecret(randomBytes) }),
  );
  return secrets.current;
}
