import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';

export const cancelCommand: CommandFactory = (runAction) =>
  new Command('cancel')
    .description('Cancels a queued or processing job.')
    .argument('<job-id>', 'the job')
    .action(
      runAction(async ({ client, printResult }, id: string) => {
        const job = await client.cancelJob({ params: { id } });
        printResult(job, `Job ${job.jobId} is cancelled.`);
      }),
    );
