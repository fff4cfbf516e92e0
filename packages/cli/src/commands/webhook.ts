import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';
import { webhookTestResult } from '../formatting/webhook-test.ts';

export const webhookCommand: CommandFactory = (runAction) => {
  const webhook = new Command('webhook').description('Tests the default webhook URL.');
  webhook
    .command('test')
    .description('Sends a sample webhook to the default URL and shows the response status.')
    .action(
      runAction(async ({ client, printResult }) => {
        const result = await client.testWebhook();
        printResult(result, webhookTestResult(result));
        return result.ok ? 'ok' : 'unsuccessful';
      }),
    );
  return webhook;
};
