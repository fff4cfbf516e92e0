import { resolve } from 'node:path';
import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';
import { downloadJobFiles, formatDownloads } from '../transfer/download-files.ts';
import { uploadOnce } from '../transfer/remembered-uploads.ts';
import { findLocalFile, type LocalFile } from '../transfer/upload-from-disk.ts';

export const downloadCommand: CommandFactory = (context) =>
  new Command('download')
    .description('Downloads the files of a completed job.')
    .argument('<job-id>', 'the job')
    .argument(
      '[path]',
      'folder for the files, or name of the file; default: the current folder. Several files get a new folder there, named after the job',
    )
    .option('--force', 'overwrites existing files')
    .action(async (jobId: string, path: string | undefined, { force = false }: { force?: boolean }) => {
      const job = await context.client.getJob({ params: { id: jobId } });
      const files = await downloadJobFiles(job, context, { path, force });
      context.printResult({ jobId, files }, formatDownloads(files));
    });

export const uploadCommand: CommandFactory = (context) =>
  new Command('upload')
    .description('Uploads files, each once in seven days, and prints the URL of each as an input of jobs.')
    .argument('<files...>', 'paths of files')
    .action(async (paths: string[]) => {
      const files = new Map<string, LocalFile>();
      for (const path of paths) files.set(path, await findLocalFile(resolve(context.workingDirectory, path)));
      const urls = await uploadOnce(context, files);
      const uploads = [...urls].map(([path, inputUrl]) => ({ path, inputUrl }));
      context.printResult({ uploads }, uploads.map(({ inputUrl }) => inputUrl).join('\n'));
    });
