import { resolve } from 'node:path';
import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';
import { uploadOnce } from '../transfer/remembered-uploads.ts';
import { findLocalFile, type LocalFile } from '../transfer/upload-from-disk.ts';

export const uploadCommand: CommandFactory = (runAction) =>
  new Command('upload')
    .description('Uploads files, each once in seven days, and prints the URL of each as an input of jobs.')
    .argument('<files...>', 'paths of files')
    .action(
      runAction(async (context, paths: string[]) => {
        const files = new Map<string, LocalFile>();
        for (const path of paths) files.set(path, await findLocalFile(resolve(context.workingDirectory, path)));
        const urls = await uploadOnce(context, files);
        const uploads = [...urls].map(([path, inputUrl]) => ({ path, inputUrl }));
        context.printResult({ uploads }, uploads.map(({ inputUrl }) => inputUrl).join('\n'));
        return 'ok';
      }),
    );
