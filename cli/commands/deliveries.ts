import { Command } from 'commander';
import type { DeliveryResource } from '../../core/api/deliveries.ts';
import type { CommandFactory } from '../context/run-action.ts';
import { columns } from '../show/columns.ts';
import { sanitizeLine } from '../show/sanitize.ts';

const none =
  'No webhook was sent in the last 30 days: one is when a job ends, where the job or the settings name a target.';

export const deliveriesCommand: CommandFactory = (attend) =>
  new Command('deliveries')
    .description("Lists the attempts to deliver a job's webhook. What its target answered is in the JSON.")
    .argument('<job-id>', 'the job')
    .action(
      attend(async ({ client, printResult: answer }, id: string) => {
        const found = await client.listDeliveries({ params: { id } });
        answer(found, found.deliveries.length === 0 ? none : attemptsTable(found.deliveries));
      }),
    );

function attemptsTable(attempts: readonly DeliveryResource[]): string {
  const rows = attempts.map(({ startedAt, attempt, state, status, latencyMs, url, error }) => [
    startedAt,
    String(attempt),
    state,
    String(status ?? ''),
    latencyMs === undefined ? '' : `${latencyMs} ms`,
    sanitizeLine(url),
    sanitizeLine(error ?? ''),
  ]);
  return columns([['STARTED', 'ATTEMPT', 'STATE', 'STATUS', 'TOOK', 'TARGET', 'ERROR'], ...rows]);
}
