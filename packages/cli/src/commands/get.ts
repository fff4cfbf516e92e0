import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';
import { formatJob } from '../show/job-text.ts';

export const getCommand: CommandFactory = (runAction) =>
  new Command('get')
    .description('Shows a job. --json adds the signed URLs.')
    .argument('<job-id>', 'the job')
    .action(
      runAction(async ({ client, printResult }, id: string) => {
        const job = await client.getJob({ params: { id } });
        printResult(job, formatJob(job));
      }),
    );
