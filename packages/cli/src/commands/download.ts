import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';
import { downloadJobFiles, formatDownloads } from '../transfer/download-files.ts';

export const downloadCommand: CommandFactory = (runAction) =>
  new Command('download')
    .description('Downloads the files of a completed job.')
    .argument('<job-id>', 'the job')
    .argument(
      '[path]',
      'folder for the files, or name of the file; default: the current folder. Several files get a new folder there, named after the job',
    )
    .option('--force', 'overwrites existing files')
    .action(
      runAction(async (context, jobId: string, path: string | undefined, { force = false }: { force?: boolean }) => {
        const job = await context.client.getJob({ params: { id: jobId } });
        const files = await downloadJobFiles(job, context, { path, force });
        context.printResult({ jobId, files }, formatDownloads(files));
      }),
    );
