import { Command } from 'commander';
import type { CommandOf } from '../tools/attend.ts';

export const retryCommand: CommandOf = (attend) =>
  new Command('retry')
    .description('Tries a failed, rejected or cancelled job again, as a new job, whose id it prints.')
    .argument('<job-id>', 'the job')
    .action(
      attend(async ({ client, answer, note, programName }, id: string) => {
        const job = await client.retryJob({ params: { id } });
        answer(job, job.jobId);
        note(`Follow it: ${programName} watch ${job.jobId}`);
      }),
    );
