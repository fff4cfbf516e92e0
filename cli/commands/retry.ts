import { Command } from 'commander';
import type { CommandFactory } from '../context/run-action.ts';

export const retryCommand: CommandFactory = (attend) =>
  new Command('retry')
    .description('Tries a failed, rejected or cancelled job again, as a new job, whose id it prints.')
    .argument('<job-id>', 'the job')
    .action(
      attend(async ({ client, newId, printResult: answer, printNote: note, programName }, id: string) => {
        // So that a request whose answer was lost can be sent again.
        const headers = { 'idempotency-key': newId() };
        const job = await client.retryJob({ params: { id }, headers });
        answer(job, job.jobId);
        note(`Follow it: ${programName} watch ${job.jobId}`);
      }),
    );
