import { Command } from 'commander';
import type { CommandOf } from '../tools/attend.ts';

export const deleteCommand: CommandOf = (attend) =>
  new Command('delete')
    .description('Deletes a job that has ended, and its files.')
    .argument('<job-id>', 'the job')
    .action(
      attend(async ({ client, answer }, id: string) => {
        await client.deleteJob({ params: { id } });
        answer({ jobId: id, deleted: true }, `Job ${id} and its files are deleted.`);
      }),
    );
