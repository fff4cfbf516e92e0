import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';

export const deleteCommand: CommandFactory = (runAction) =>
  new Command('delete')
    .description('Deletes a terminal job and its files.')
    .argument('<job-id>', 'the job')
    .option('--files', 'removes its files at a storage provider too')
    .action(
      runAction(async ({ client, printResult }, id: string, { files = false }: { files?: boolean }) => {
        await client.deleteJob({ params: { id }, query: files ? { files: 'true' } : {} });
        printResult({ jobId: id, deleted: true }, `Job ${id} and its files are deleted.`);
      }),
    );
