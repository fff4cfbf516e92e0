import { Command } from 'commander';
import { confirmDeletion } from '../confirm-deletion.ts';
import type { CommandFactory } from '../context/command-context.ts';
import {
  addProviderOptions,
  locationFields,
  newAccess,
  type Provider,
  type ProviderOptions,
  secretFileOption,
  updatedAccess,
} from '../providers/provider-options.ts';
import { readSecret, requireSecret } from '../providers/read-secret.ts';
import { columns, table } from '../show/sanitize.ts';

const idArgument = ['<provider-id>', 'id from the list'] as const;

export const providersCommand: CommandFactory = (context) => {
  const providers = new Command('providers').description(
    'Manages storage providers: your own buckets that receive the files of jobs or hold their inputs. Needs a key with the scope storage.',
  );
  providers
    .command('list', { isDefault: true })
    .description('Lists the storage providers.')
    .action(async () => {
      const result = await context.client.listStorageProviders();
      const rows = result.storageProviders.map(({ id, kind, bucket, prefix = '', lastTest, name }) => [
        id,
        kind,
        `${bucket}/${prefix}`,
        testState(lastTest),
        name,
      ]);
      const titles = ['PROVIDER ID', 'KIND', 'BUCKET', 'TEST', 'NAME'];
      context.printResult(result, table(titles, rows, 'There are no storage providers. "providers add" adds one.'));
    });
  providers
    .command('show')
    .description('Shows a storage provider and the result of its last test.')
    .argument(...idArgument)
    .action(async (id: string) => {
      const provider = await context.client.getStorageProvider({ params: { id } });
      context.printResult(provider, formatProvider(provider));
    });
  addProviderOptions(
    providers
      .command('add')
      .description('Adds a storage provider and prints its id. Run "providers test" next.')
      .argument('<name>', 'name of the storage provider in the list'),
  ).action(async (name: string, options: ProviderOptions) => {
    const fields = locationFields({ ...options, name });
    const access = await newAccess(options, (path) => requireSecret(context, path));
    const created = await context.client.createStorageProvider({ body: { ...fields, access } });
    context.printResult(created, created.id);
    context.printNote(`To test it: ${context.programName} providers test ${created.id}`);
  });
  addProviderOptions(
    providers
      .command('update')
      .description('Changes the given settings of a storage provider. Without a secret, the stored one stays.')
      .argument(...idArgument)
      .option('--name <name>', 'name in the list'),
  ).action(async (id: string, options: ProviderOptions) => {
    const stored = await context.client.getStorageProvider({ params: { id } });
    const secret = changesKeys(options) ? await readSecret(context, options.secretFile) : undefined;
    const body = { ...locationFields(options, stored), access: updatedAccess(options, stored, secret) };
    const updated = await context.client.updateStorageProvider({ params: { id }, body });
    context.printResult(updated, formatProvider(updated));
  });
  providers
    .command('rotate')
    .description('Replaces the access key of a storage provider. Keep the previous one valid for two more minutes.')
    .argument(...idArgument)
    .option('--access-key-id <id>', 'new access key id; default: the stored one')
    .option(...secretFileOption)
    .action(async (id: string, options: ProviderOptions) => {
      const secret = await requireSecret(context, options.secretFile);
      const stored = await context.client.getStorageProvider({ params: { id } });
      const body = { ...locationFields({}, stored), access: updatedAccess(options, stored, secret) };
      const updated = await context.client.updateStorageProvider({ params: { id }, body });
      context.printResult(updated, `The access key of ${id} is replaced.`);
    });
  providers
    .command('test')
    .description('Writes, reads, lists and removes one small object, and shows which step failed.')
    .argument(...idArgument)
    .action(async (id: string) => {
      const result = await context.client.testStorageProvider({ params: { id } });
      context.printResult(result, result.message);
      context.setExit(result.ok ? 'ok' : 'unsuccessful');
    });
  providers
    .command('delete')
    .description('Removes a storage provider. Files in its bucket stay.')
    .argument(...idArgument)
    .action(async (id: string) => {
      await confirmDeletion(context.client.deleteStorageProvider({ params: { id } }));
      context.printResult({ id, deleted: true }, `The storage provider ${id} is removed. Its files stay.`);
    });
  providers
    .command('trust')
    .description('Shows the trust policy that a role for --role-arn needs.')
    .action(async () => {
      const result = await context.client.getExternalId();
      context.printResult(result, JSON.stringify(result.trustPolicy, null, 2));
    });
  return providers;
};

/** Whether a secret in the environment is for this provider. */
function changesKeys({ accessKeyId, secretFile }: ProviderOptions): boolean {
  return accessKeyId !== undefined || secretFile !== undefined;
}

function testState(lastTest: Provider['lastTest']): string {
  if (lastTest === null) return 'none';
  return lastTest.ok ? 'ok' : 'failed';
}

function formatProvider(provider: Provider): string {
  const { forcePathStyle, lastTest, headers, tags } = provider;
  const rows: [string, string | undefined][] = [
    ['Provider', provider.id],
    ['Name', provider.name],
    ['Kind', provider.kind],
    ['Bucket', provider.bucket],
    ['Region', provider.region],
    ['Endpoint', provider.endpoint],
    ['Prefix', provider.prefix],
    ['Path style', forcePathStyle === undefined ? undefined : String(forcePathStyle)],
    ...accessRows(provider),
    ['Cache-Control', headers?.cacheControl],
    ['Content-Disposition', headers?.contentDisposition],
    ['Storage class', provider.storageClass],
    ['Tags', tags && new URLSearchParams(tags).toString()],
    ['Last test', lastTest === null ? 'none' : `${lastTest.at} ${lastTest.message}`],
  ];
  return columns(rows.flatMap(([title, text]) => (text === undefined ? [] : [[title, text]])));
}

function accessRows({ access, allows }: Pick<Provider, 'access' | 'allows'>): [string, string][] {
  if (access.type === 'keys') return [['Access key', access.accessKeyId]];
  if (access.type === 'stage') return [['Access', `of this service: ${allows}`]];
  return [
    ['Role', access.roleArn],
    ['External id', access.externalId],
  ];
}
