import { Command } from 'commander';
import { jobText } from '../show/job-text.ts';
import type { CommandOf } from '../tools/attend.ts';

export const getCommand: CommandOf = (attend) =>
  new Command('get')
    .description('Shows a job. Its signed URLs are in the JSON.')
    .argument('<job-id>', 'the job')
    .action(
      attend(async ({ client, answer }, id: string) => {
        const job = await client.getJob({ params: { id } });
        answer(job, jobText(job));
      }),
    );
