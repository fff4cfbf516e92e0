import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';

export const deleteCommand: CommandFactory = (runAction) =>
  new Command('delete')
    .description('Deletes a terminal job and its files.')
    .argument('<job-id>', 'the job')
    .action(
      runAction(async ({ client, printResult }, id: string) => {
        await client.deleteJob({ params: { id } });
        printResult({ jobId: id, deleted: true }, `Job ${id} and its files are deleted.`);
      }),
    );
