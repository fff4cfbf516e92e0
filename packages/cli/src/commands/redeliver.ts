import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';

export const redeliverCommand: CommandFactory = (runAction) =>
  new Command('redeliver')
    .description("Redelivers a job's webhook and prints the delivery id.")
    .argument('<job-id>', 'a terminal job')
    .action(
      runAction(async ({ client, printResult, printNote, programName }, id: string) => {
        const delivery = await client.redeliverJob({ params: { id } });
        printResult(delivery, delivery.deliveryId);
        printNote(`List its attempts: ${programName} deliveries ${id}`);
      }),
    );
