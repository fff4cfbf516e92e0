import type { OperationResult } from '@media-jobs/client';
import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';
import { shellQuote } from '../formatting/command-line.ts';

type Attempt = OperationResult<'getJobLog'>['attempts'][number];

export const logCommand: CommandFactory = (runAction) =>
  new Command('log')
    .description('Shows the ffmpeg commands and log of each attempt.')
    .argument('<job-id>', 'the job')
    .action(
      runAction(async ({ client, printResult }, id: string) => {
        const log = await client.getJobLog({ params: { id } });
        printResult(log, log.attempts.map(formatAttempt).join('\n\n') || 'ffmpeg has not run for this job.');
      }),
    );

function formatAttempt({ attempt, ffmpegVersion, commands, log }: Attempt): string {
  const lines = commands.map((args) => `$ ffmpeg ${args.map(shellQuote).join(' ')}`);
  return [`Attempt ${attempt}, ${ffmpegVersion}`, ...lines, log.trimEnd()].join('\n');
}
