import { Command } from 'commander';
import type { CommandOf } from '../tools/attend.ts';

export const redeliverCommand: CommandOf = (attend) =>
  new Command('redeliver')
    .description("Delivers a job's webhook again, and prints the id of the delivery.")
    .argument('<job-id>', 'the job, which has ended')
    .action(
      attend(async ({ client, answer, note, programName }, id: string) => {
        const delivery = await client.redeliverJob({ params: { id } });
        answer(delivery, delivery.deliveryId);
        note(`See its attempts: ${programName} deliveries ${id}`);
      }),
    );
