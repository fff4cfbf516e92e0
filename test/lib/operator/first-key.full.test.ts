import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { keyTable } from '../../../adapters/dynamodb/key-table.ts';
import { createKeyRecord, hashApiKey } from '../../../core/access/key-record.ts';
import { ownerIdFromClaims } from '../../../core/access/owner.ts';
import { allScopes } from '../../../core/access/scopes.ts';
import { root } from '../../../lib/build/paths.ts';
import { aDynaliteTable } from '../../builders/storage/dynalite-table.ts';

const claims = { issuer: 'https://login.example.com', subject: 'customer', organisation: undefined };
/** The stage `dev` has one owner, the stage `local` several. */

const table = await aDynaliteTable('media-jobs-dev-123456789012-jobs');
const tableOfSeveral = await aDynaliteTable('media-jobs-local-123456789012-jobs');

function firstKey(...flags: string[]) {
  return firstKeyWith({ AWS_REGION: 'eu-central-1' }, ...flags);
}

function firstKeyWith(environment: Record<string, string>, ...flags: string[]) {
  const credentials = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'secret' };
  return promisify(execFile)(process.execPath, ['lib/operator/first-key.ts', ...flags], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      AWS_ENDPOINT_URL_DYNAMODB: (flags.includes('local') ? tableOfSeveral : table).endpoint,
      ...credentials,
      ...environment,
    },
  });
}

it('a new key is printed once, and is stored in the table of its stage', async () => {
  const { stdout } = await firstKey('--stage', 'dev', '--account', '123456789012', '--name', 'own');
  const key = stdout.trim();
  expect(key).toMatch(/^nte_\w{48}$/);
  const { client, tableName } = table;
  expect(await keyTable(client, tableName).findByHash(hashApiKey(key))).toMatchObject({ ownerId: 'stage' });
});

it('a key is listed by its preview, and revoked by its id', async () => {
  const options = ['--stage', 'local', '--account', '123456789012', '--owner', 'others'];
  const key = (await firstKey(...options, '--name', 'leaked')).stdout.trim();
  const listed = (await firstKey(...options, '--list')).stdout;
  expect(listed).toMatch(/ {2}leaked\n$/);
  expect(listed).not.toContain(key);

  const [keyId = ''] = listed.split(' ');
  await firstKey(...options, '--revoke', keyId);
  const { client, tableName } = tableOfSeveral;
  expect(await keyTable(client, tableName).findByHash(hashApiKey(key))).toBeUndefined();
  await expect(firstKey(...options, '--revoke', keyId)).rejects.toMatchObject({
    stderr: `This owner has no key ${keyId}: use --list to list the existing keys.\n`,
  });
});

it('the keys of any owner are listed and revoked by the id of the owner', async () => {
  const { client, tableName } = tableOfSeveral;
  const keys = keyTable(client, tableName);
  const customer = { ownerId: ownerIdFromClaims(claims, 'a salt'), keyId: randomUUID(), name: 'of a customer' };
  const record = createKeyRecord('nte_customer', { ...customer, now: new Date(), scopes: allScopes });
  await keys.create(record);
  const options = ['--stage', 'local', '--account', '123456789012', `--owner-id=${customer.ownerId}`];
  expect((await firstKey(...options, '--list')).stdout).toContain('of a customer');
  await firstKey(...options, '--revoke', customer.keyId);
  expect(await keys.findByHash(record.hash)).toBeUndefined();
});

it.each(['--owner=others', '--owner-id=jR1x6FG0t6R3C'])(
  'on a stage of one team, %s is refused, and nothing is written',
  async (flag) => {
    const options = ['--stage', 'dev', '--account', '123456789012'];
    const before = (await firstKey(...options, '--list')).stdout;
    await expect(firstKey(...options, flag)).rejects.toMatchObject({
      code: 1,
      stderr: 'Stage dev has one owner: leave out --owner and --owner-id, or set tenancy to multi in cdk.json.\n',
    });
    expect((await firstKey(...options, '--list')).stdout).toBe(before);
  },
);

it('the webhook secret of an owner is printed, the same each time', async () => {
  const options = ['--stage', 'dev', '--account', '123456789012', '--webhook-secret'];
  const { stdout } = await firstKey(...options);
  expect(stdout).toMatch(/^whsec_[\w+/]{43}=\n$/);
  expect((await firstKey(...options)).stdout).toBe(stdout);
});

it('a missing table is reported with possible causes', async () => {
  await expect(firstKey('--stage', 'dev', '--account', '000000000000')).rejects.toMatchObject({
    stderr: expect.stringContaining('There is no table media-jobs-dev-000000000000-jobs in eu-central-1'),
  });
});

it('a missing account is reported with the option that sets it', async () => {
  await expect(firstKey('--stage', 'dev')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^--account is missing.*\n\n.*--account ID/s),
  });
});

it('a missing region is reported with where to set it', async () => {
  const flags = ['--stage', 'dev', '--account', '123456789012'];
  await expect(firstKeyWith({ AWS_CONFIG_FILE: '/dev/null' }, ...flags)).rejects.toMatchObject({
    stderr: 'No region is set: set AWS_REGION, or the region of the stage in cdk.json.\n',
  });
});
