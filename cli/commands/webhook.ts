import { Command } from 'commander';
import type { CommandFactory } from '../context/run-action.ts';

export const webhookCommand: CommandFactory = (attend) => {
  const webhook = new Command('webhook').description('Webhooks.');
  webhook
    .command('test')
    .description('Sends a sample webhook to the default URL, and says whether it was taken.')
    .action(
      attend(async ({ client, printResult: answer }) => {
        const result = await client.testWebhook();
        answer(result, `The target answered ${result.status}: ${result.ok ? 'taken' : 'not taken'}.`);
        return result.ok ? 'ok' : 'unsuccessful';
      }),
    );
  return webhook;
};
