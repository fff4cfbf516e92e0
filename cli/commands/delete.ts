import { Command } from 'commander';
import type { CommandFactory } from '../context/run-action.ts';

export const deleteCommand: CommandFactory = (attend) =>
  new Command('delete')
    .description('Deletes a job that has ended, and its files.')
    .argument('<job-id>', 'the job')
    .action(
      attend(async ({ client, printResult: answer }, id: string) => {
        await client.deleteJob({ params: { id } });
        answer({ jobId: id, deleted: true }, `Job ${id} and its files are deleted.`);
      }),
    );
