import type { OperationResult } from '@media-jobs/client';
import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';
import { columns } from '../show/sanitize.ts';

type Settings = OperationResult<'getSettings'>;

export const settingsCommand: CommandFactory = (runAction) => {
  const settings = new Command('settings').description(
    'Shows or changes the default webhook URL and storage provider.',
  );
  settings
    .command('show', { isDefault: true })
    .description('Shows the settings.')
    .action(
      runAction(async ({ client, printResult }) => {
        const current = await client.getSettings();
        printResult(current, settingsText(current));
      }),
    );
  settings
    .command('set-webhook')
    .description('Sets the default webhook URL, for jobs without their own.')
    .argument('<url>', 'URL that receives the webhooks')
    .action(
      runAction(async ({ client, printResult }, defaultWebhookUrl: string) => {
        const current = await client.updateSettings({ body: { defaultWebhookUrl } });
        printResult(current, settingsText(current));
      }),
    );
  settings
    .command('clear-webhook')
    // The name in earlier versions.
    .alias('clear')
    .description('Clears the default webhook URL.')
    .action(
      runAction(async ({ client, printResult }) => {
        const current = await client.updateSettings({ body: { defaultWebhookUrl: null } });
        printResult(current, settingsText(current));
      }),
    );
  settings
    .command('set-storage')
    .description('Sets the default storage provider, for the files of jobs that name none.')
    .argument('<provider-id>', 'id from the list of storage providers')
    .action(
      runAction(async ({ client, printResult }, defaultStorageProviderId: string) => {
        const current = await client.updateSettings({ body: { defaultStorageProviderId } });
        printResult(current, settingsText(current));
      }),
    );
  settings
    .command('clear-storage')
    .description('Clears the default storage provider: files go to the bucket of the service.')
    .action(
      runAction(async ({ client, printResult }) => {
        const current = await client.updateSettings({ body: { defaultStorageProviderId: null } });
        printResult(current, settingsText(current));
      }),
    );
  return settings;
};

function settingsText({ defaultWebhookUrl, defaultStorageProviderId, updatedAt }: Settings): string {
  return columns([
    ['Default webhook', defaultWebhookUrl ?? 'none'],
    ['Default storage', defaultStorageProviderId ?? 'none'],
    ['Changed', Date.parse(updatedAt) === 0 ? 'never' : updatedAt],
  ]);
}
