import { Command } from 'commander';
import type { CommandFactory } from '../context/run-action.ts';

export const redeliverCommand: CommandFactory = (attend) =>
  new Command('redeliver')
    .description("Delivers a job's webhook again, and prints the id of the delivery.")
    .argument('<job-id>', 'the job, which has ended')
    .action(
      attend(async ({ client, printResult: answer, printNote: note, programName }, id: string) => {
        const delivery = await client.redeliverJob({ params: { id } });
        answer(delivery, delivery.deliveryId);
        note(`See its attempts: ${programName} deliveries ${id}`);
      }),
    );
