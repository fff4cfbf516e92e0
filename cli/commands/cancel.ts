import { Command } from 'commander';
import type { CommandOf } from '../tools/attend.ts';

export const cancelCommand: CommandOf = (attend) =>
  new Command('cancel')
    .description('Cancels a job that has not ended.')
    .argument('<job-id>', 'the job')
    .action(
      attend(async ({ client, answer }, id: string) => {
        const job = await client.cancelJob({ params: { id } });
        answer(job, `Job ${job.jobId} is cancelled.`);
      }),
    );
