import type { OperationResult } from '@media-jobs/client';
import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';
import { columns } from '../show/sanitize.ts';

type Settings = OperationResult<'getSettings'>;

/** Description and field of each change. One that takes no argument clears the field. */
const changes = {
  'set-webhook': ['Sets the webhook URL of jobs that name none.', 'defaultWebhookUrl'],
  'clear-webhook': ['Clears the default webhook URL.', 'defaultWebhookUrl'],
  'set-storage': [
    'Sets the storage provider that receives the files of jobs that name none.',
    'defaultStorageProviderId',
  ],
  'clear-storage': [
    'Clears the default storage provider: files go to the bucket of the service.',
    'defaultStorageProviderId',
  ],
} as const;

const values: Readonly<Record<string, [string, string]>> = {
  'set-webhook': ['<url>', 'URL that receives the webhooks'],
  'set-storage': ['<provider-id>', 'id from the list of storage providers'],
};

export const settingsCommand: CommandFactory = (context) => {
  const settings = new Command('settings').description(
    'Shows or changes the default webhook URL and storage provider.',
  );
  settings
    .command('show', { isDefault: true })
    .description('Shows the settings.')
    .action(async () => {
      const current = await context.client.getSettings();
      context.printResult(current, settingsText(current));
    });
  for (const [name, [description, field]] of Object.entries(changes)) {
    const command = settings.command(name).description(description);
    if (values[name] !== undefined) command.argument(...values[name]);
    // The name in earlier versions.
    if (name === 'clear-webhook') command.alias('clear');
    command.action(async (value: unknown) => {
      const current = await context.client.updateSettings({
        body: { [field]: values[name] === undefined ? null : value },
      });
      context.printResult(current, settingsText(current));
    });
  }
  return settings;
};

function settingsText({ defaultWebhookUrl, defaultStorageProviderId, updatedAt }: Settings): string {
  return columns([
    ['Default webhook', defaultWebhookUrl ?? 'none'],
    ['Default storage', defaultStorageProviderId ?? 'none'],
    ['Changed', Date.parse(updatedAt) === 0 ? 'never' : updatedAt],
  ]);
}
