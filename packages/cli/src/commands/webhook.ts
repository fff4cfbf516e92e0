import type { DeliveryResource } from '@media-jobs/core/api';
import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';
import { noDeliveries, webhookTestResult } from '../formatting/webhook-test.ts';
import { columns } from '../show/sanitize.ts';

export const webhookCommand: CommandFactory = (context) => {
  const webhook = new Command('webhook').description('Tests the default webhook URL.');
  webhook
    .command('test')
    .description('Sends a sample webhook to the default URL and shows the response status.')
    .action(async () => {
      const result = await context.client.testWebhook();
      context.printResult(result, webhookTestResult(result));
      context.setExit(result.ok ? 'ok' : 'unsuccessful');
    });
  return webhook;
};

export const deliveriesCommand: CommandFactory = (context) =>
  new Command('deliveries')
    .description("Lists the delivery attempts of a job's webhook. --json adds the responses of the target.")
    .argument('<job-id>', 'the job')
    .action(async (id: string) => {
      const result = await context.client.listDeliveries({ params: { id } });
      const { deliveries } = result;
      context.printResult(result, deliveries.length === 0 ? noDeliveries : formatAttempts(deliveries));
    });

function formatAttempts(attempts: readonly DeliveryResource[]): string {
  const rows = attempts.map(({ startedAt, attempt, state, status, latencyMs, url, error }) => [
    startedAt,
    String(attempt),
    state,
    String(status ?? ''),
    latencyMs === undefined ? '' : `${latencyMs} ms`,
    url,
    error ?? '',
  ]);
  return columns([['STARTED', 'ATTEMPT', 'STATE', 'STATUS', 'TOOK', 'TARGET', 'ERROR'], ...rows]);
}
