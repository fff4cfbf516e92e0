import { Command } from 'commander';
import type { CommandContext, CommandFactory } from '../context/command-context.ts';
import { createOnce, type IdempotencyOptions, idempotencyOption } from '../submit/create-once.ts';

export const retryCommand: CommandFactory = (runAction) =>
  new Command('retry')
    .description('Submits a failed, rejected or cancelled job again and prints the id of the new job.')
    .argument('<job-id>', 'the job')
    .option(...idempotencyOption)
    .action(
      runAction(async (context: CommandContext, id: string, options: IdempotencyOptions) => {
        const { client, printResult, printNote, programName } = context;
        const job = await createOnce(context, options, (headers) => client.retryJob({ params: { id }, headers }));
        printResult(job, job.jobId);
        printNote(`Follow it: ${programName} watch ${job.jobId}`);
      }),
    );
