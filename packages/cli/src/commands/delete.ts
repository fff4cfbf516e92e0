import { Command } from 'commander';
import { confirmDeletion } from '../confirm-deletion.ts';
import type { CommandFactory } from '../context/command-context.ts';

export const deleteCommand: CommandFactory = (runAction) =>
  new Command('delete')
    .description('Deletes a terminal job and its files. Files at a storage provider stay.')
    .argument('<job-id>', 'the job')
    .option('--files', 'also removes its files at a storage provider')
    .action(
      runAction(async ({ client, printResult }, id: string, { files = false }: { files?: boolean }) => {
        const query = files ? { files: 'true' as const } : {};
        await confirmDeletion(client.deleteJob({ params: { id }, query }));
        const removed = files
          ? 'Its files, also those at a storage provider,'
          : 'Its files in the bucket of the service';
        printResult({ jobId: id, deleted: true }, `Job ${id} is deleted. ${removed} are removed within minutes.`);
      }),
    );
