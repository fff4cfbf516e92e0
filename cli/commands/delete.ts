import { Command } from 'commander';
import { confirmDeletion } from '../confirm-deletion.ts';
import type { CommandFactory } from '../context/command-context.ts';

export const deleteCommand: CommandFactory = (runAction) =>
  new Command('delete')
    .description('Deletes a terminal job and its files.')
    .argument('<job-id>', 'the job')
    .option('--files', 'removes its files at a storage provider too')
    .action(
      runAction(async ({ client, printResult }, id: string, { files = false }: { files?: boolean }) => {
        const query = files ? { files: 'true' as const } : {};
        await confirmDeletion(client.deleteJob({ params: { id }, query }));
        printResult({ jobId: id, deleted: true }, `Job ${id} and its files are deleted.`);
      }),
    );
