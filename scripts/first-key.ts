import { randomBytes, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { keyTable } from '../adapters/dynamodb/key-table.ts';
import cdkJson from '../cdk.json' with { type: 'json' };
import { hashApiKey, newApiKey, previewApiKey } from '../core/access/api-key.ts';
import { ownerOfClaims } from '../core/access/owner.ts';
import { readSettings } from '../lib/read-settings.ts';
import { tableName } from '../lib/stored-names.ts';

const usage = `Makes an API key with the credentials of AWS, for a stage without a dashboard to make it in.

  npm run first-key -- --stage dev --account 123456789012 [--owner operations] [--name first]

  --account ID    the account of the stage, where its settings do not say (aws sts get-caller-identity)
  --owner NAME    whose jobs the key opens: keys of the same name share them
  --name TEXT     what the key is called
`;

try {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      account: { type: 'string' },
      owner: { type: 'string', default: 'operations' },
      name: { type: 'string', default: 'first' },
    },
  });
  if (values.stage === undefined) throw new Error(usage);
  const settings = readSettings(cdkJson.context.stages, values.stage);
  const { stage, recovery } = settings;
  const account = values.account ?? settings.account;
  if (account === undefined) throw new Error(usage);
  const client = new DynamoDBClient(settings.region === undefined ? {} : { region: settings.region });
  const key = newApiKey(randomBytes);
  await keyTable(client, recovery.table ?? tableName({ stage, account })).create({
    // No provider of identities can be called so: nobody who signs in is ever this owner.
    ownerId: ownerOfClaims({ issuer: 'operator', subject: values.owner, organisation: undefined }),
    keyId: randomUUID(),
    name: values.name,
    createdAt: new Date().toISOString(),
    hash: hashApiKey(key),
    preview: previewApiKey(key),
  });
  console.log(key);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
