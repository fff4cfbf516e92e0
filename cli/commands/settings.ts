import { Command } from 'commander';
import type { OperationResult } from '../../client/operation.ts';
import type { CommandFactory } from '../context/run-action.ts';
import { columns } from '../show/columns.ts';

type Settings = OperationResult<'getSettings'>;

export const settingsCommand: CommandFactory = (attend) => {
  const settings = new Command('settings').description('The default webhook URL.');
  settings
    .command('show', { isDefault: true })
    .description('Shows the settings.')
    .action(
      attend(async ({ client, printResult: answer }) => {
        const current = await client.getSettings();
        answer(current, settingsText(current));
      }),
    );
  settings
    .command('set-webhook')
    .description('Sets who is told of jobs without a webhook URL of their own.')
    .argument('<url>', 'where webhooks are sent')
    .action(
      attend(async ({ client, printResult: answer }, defaultWebhookUrl: string) => {
        const current = await client.updateSettings({ body: { defaultWebhookUrl } });
        answer(current, settingsText(current));
      }),
    );
  settings
    .command('clear')
    .description('Clears the default webhook URL.')
    .action(
      attend(async ({ client, printResult: answer }) => {
        const current = await client.updateSettings({ body: { defaultWebhookUrl: null } });
        answer(current, settingsText(current));
      }),
    );
  return settings;
};

function settingsText({ defaultWebhookUrl, updatedAt }: Settings): string {
  return columns([
    ['Default webhook', defaultWebhookUrl ?? 'none'],
    ['Changed', Date.parse(updatedAt) === 0 ? 'never' : updatedAt],
  ]);
}
