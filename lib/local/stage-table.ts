import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Stage } from '@media-jobs/local-stage';
import { clientOptions } from '@media-jobs/local-stage/emulators';
import { demoUser, localIssuer } from '@media-jobs/local-stage/identity';
import { settingsTable } from '../../adapters/dynamodb/settings-table.ts';
import { ownerIdFromClaims } from '../../core/access/owner.ts';
import { newSigningSecret } from '../../core/webhooks/signature.ts';

/** Known, so that the id of a local owner is: nobody but its user sees a local stage. */
export const localOwnerSalt = Buffer.alloc(32).toString('base64');

/** The id of a user of the local stage. */
export function localOwner(subject: string): string {
  return ownerIdFromClaims({ issuer: localIssuer, subject, organisation: undefined }, localOwnerSalt);
}

/** The owner of the first API key: the demo user, who sees its jobs in the dashboard. */
export const localOwnerId = localOwner(demoUser.subject);

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
