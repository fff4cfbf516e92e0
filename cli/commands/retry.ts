import { Command } from 'commander';
import type { CommandOf } from '../tools/attend.ts';

export const retryCommand: CommandOf = (attend) =>
  new Command('retry')
    .description('Tries a failed, rejected or cancelled job again, as a new job, whose id it prints.')
    .argument('<job-id>', 'the job')
    .action(
      attend(async ({ client, newId, answer, note, programName }, id: string) => {
        // So that a request whose answer was lost can be sent again.
        const headers = { 'idempotency-key': newId() };
        const job = await client.retryJob({ params: { id }, headers });
        answer(job, job.jobId);
        note(`Follow it: ${programName} watch ${job.jobId}`);
      }),
    );
