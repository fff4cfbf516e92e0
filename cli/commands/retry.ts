import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';

export const retryCommand: CommandFactory = (runAction) =>
  new Command('retry')
    .description('Submits a failed, rejected or cancelled job again and prints the id of the new job.')
    .argument('<job-id>', 'the job')
    .action(
      runAction(async ({ client, newId, printResult, printNote, programName }, id: string) => {
        // Idempotent, so that retrying after a lost response does not create a second job.
        const headers = { 'idempotency-key': newId() };
        const job = await client.retryJob({ params: { id }, headers });
        printResult(job, job.jobId);
        printNote(`Follow it: ${programName} watch ${job.jobId}`);
      }),
    );
