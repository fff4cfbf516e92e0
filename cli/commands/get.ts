import { Command } from 'commander';
import type { CommandFactory } from '../context/run-action.ts';
import { jobText } from '../show/job-text.ts';

export const getCommand: CommandFactory = (attend) =>
  new Command('get')
    .description('Shows a job. Its signed URLs are in the JSON.')
    .argument('<job-id>', 'the job')
    .action(
      attend(async ({ client, printResult: answer }, id: string) => {
        const job = await client.getJob({ params: { id } });
        answer(job, jobText(job));
      }),
    );
