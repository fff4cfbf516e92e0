import { Command } from 'commander';
import type { CommandFactory } from '../context/run-action.ts';

export const cancelCommand: CommandFactory = (attend) =>
  new Command('cancel')
    .description('Cancels a job that has not ended.')
    .argument('<job-id>', 'the job')
    .action(
      attend(async ({ client, printResult: answer }, id: string) => {
        const job = await client.cancelJob({ params: { id } });
        answer(job, `Job ${job.jobId} is cancelled.`);
      }),
    );
