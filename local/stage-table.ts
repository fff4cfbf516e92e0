import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ownerIdFromClaims } from '../core/access/owner.ts';
import { region } from './aws-names.ts';
import { demoUser, localIssuer } from './identity/demo-user.ts';
import type { Stage } from './stage.ts';

/** Who owns what is done with the first key: the demo user, who finds it in the dashboard. */
export const localOwnerId = ownerIdFromClaims({
  issuer: localIssuer,
  subject: demoUser.subject,
  organisation: undefined,
});

/** Does something with the stage's table behind the API's back. */
export async function withStageTable<T>(
  stage: Pick<Stage, 'endpoints' | 'resources'>,
  work: (client: DynamoDBClient, tableName: string) => Promise<T>,
): Promise<T> {
  const [tableName] = stage.resources.tables;
  if (tableName === undefined) throw new Error('The template has no table.');
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: stage.endpoints.dynamodb, region, credentials });
  try {
    return await work(client, tableName);
  } finally {
    client.destroy();
  }
}
