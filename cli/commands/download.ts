import { Command } from 'commander';
import type { CommandFactory } from '../context/run-action.ts';
import { filesText } from '../show/files-text.ts';
import { downloadJobFiles } from '../transfer/download-job-files.ts';

export const downloadCommand: CommandFactory = (attend) =>
  new Command('download')
    .description('Downloads the files of a completed job.')
    .argument('<job-id>', 'the job')
    .argument('[path]', 'file or folder; this folder, or for several files one called like the job')
    .option('--force', 'replaces files that are there already')
    .action(
      attend(async (tools, id: string, asked: string | undefined, { force = false }: { force?: boolean }) => {
        const job = await tools.client.getJob({ params: { id } });
        const files = await downloadJobFiles(job, tools, { asked, force });
        tools.printResult({ jobId: id, files }, filesText(files));
      }),
    );
