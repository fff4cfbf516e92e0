import { randomBytes, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { ownerSalt } from '../../adapters/dynamodb/owner-salt.ts';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { type OwnerSalt, ownerIdFromClaims, stageOwnerId } from '../../core/access/owner.ts';
import { runMain } from '../build/run-main.ts';
import { tableName } from '../names.ts';
import { readSettings } from '../settings/read-settings.ts';
import { operatorAccess } from './first-key/operator-access.ts';

const usage = `Creates an API key with AWS credentials, for a stage without a dashboard. Lists and revokes keys, and prints the
secret that signs webhooks.

  npm run first-key -- --stage dev --account 123456789012 [--name first]
  npm run first-key -- --stage dev --account 123456789012 --list
  npm run first-key -- --stage dev --account 123456789012 --revoke KEY-ID
  npm run first-key -- --stage dev --account 123456789012 --webhook-secret

  --account ID      the stage's account, unless its settings contain it (aws sts get-caller-identity)
  --table NAME      in place of both: the table of a stage in another CDK app, in AWS_REGION
  --name TEXT       the name of the key
  --list            lists the keys: id, preview, creation time, name
  --revoke KEY-ID   revokes the key: its next request is rejected
  --webhook-secret  prints the webhook secret; creates it if there is none

Only if the tenancy of the stage is multi:

  --owner NAME      the owner of the keys, by default operations without --table: keys of the same owner share their jobs
  --owner-id=ID     in place of --owner: any owner, such as a customer, by the ownerId in a log
`;

const options = {
  stage: { type: 'string', default: '' },
  account: { type: 'string' },
  table: { type: 'string' },
  owner: { type: 'string' },
  'owner-id': { type: 'string' },
  name: { type: 'string', default: 'first' },
  list: { type: 'boolean', default: false },
  revoke: { type: 'string' },
  'webhook-secret': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

type Flags = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

async function run(flags: Flags): Promise<string> {
  // A stage whose settings are in another app: its keys have owners if one is named.
  const isMultiElsewhere = (flags.owner ?? flags['owner-id']) !== undefined;
  const { table, region, isMulti }: Target =
    flags.table === undefined ? targetOf(flags) : { table: flags.table, isMulti: isMultiElsewhere };
  const client = new DynamoDBClient(region === undefined ? {} : { region });
  await client.config.region().catch((cause) => {
    throw new Error('No region is set: set AWS_REGION, or the region of the stage in cdk.json.', { cause });
  });
  try {
    const ownerId = await ownerOf(isMulti, flags, ownerSalt(client, table, randomBytes));
    const access = operatorAccess({ client, tableName: table, ownerId, randomBytes });
    if (flags.list) return (await access.list()).join('\n');
    if (flags['webhook-secret']) return await access.webhookSecret();
    if (flags.revoke === undefined) {
      return await access.create({ name: flags.name, keyId: randomUUID(), now: new Date() });
    }
    await access.revoke(flags.revoke, new Date());
    return `Key ${flags.revoke} is revoked.`;
  } catch (cause) {
    if (!(cause instanceof ResourceNotFoundException)) throw cause;
    const problem = `There is no table ${table} in ${await client.config.region()}`;
    throw new Error(`${problem}: check that the stage is deployed, and its account and region`, { cause });
  }
}

type Target = { table: string; region?: string | undefined; isMulti: boolean };

function targetOf(flags: Flags): Target {
  if (flags.stage === '') throw new Error(`--stage is missing.\n\n${usage}`);
  const { stage, recovery, region, tenancy, ...settings } = readSettings(cdkJson.context.stages, flags.stage);
  const account = flags.account ?? settings.account;
  if (account === undefined) {
    throw new Error(`--account is missing, and the settings of stage ${stage} have no account.\n\n${usage}`);
  }
  return { table: recovery.table ?? tableName({ stage, account }), region, isMulti: tenancy === 'multi' };
}

async function ownerOf(isMulti: boolean, flags: Flags, salt: OwnerSalt): Promise<string> {
  const { owner, 'owner-id': ownerId } = flags;
  if (isMulti) {
    // No identity provider has this issuer, so no signed-in user is ever this owner.
    const named = { issuer: 'operator', subject: owner ?? 'operations', organisation: undefined };
    return ownerId ?? ownerIdFromClaims(named, await salt());
  }
  if (owner === undefined && ownerId === undefined) return stageOwnerId;
  throw new Error(
    `Stage ${flags.stage} has one owner: leave out --owner and --owner-id, or set tenancy to multi in cdk.json.`,
  );
}

await runMain(async () => {
  const { values } = parseArgs({ options });
  console.log(values.help ? usage : await run(values));
});
