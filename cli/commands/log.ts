import { Command } from 'commander';
import type { OperationResult } from '../../client/operation.ts';
import { shellQuote } from '../../formatting/command-line.ts';
import type { CommandFactory } from '../context/run-action.ts';

type Attempt = OperationResult<'getJobLog'>['attempts'][number];

export const logCommand: CommandFactory = (attend) =>
  new Command('log')
    .description('Shows what ffmpeg was asked and said, for each attempt.')
    .argument('<job-id>', 'the job')
    .action(
      attend(async ({ client, printResult: answer }, id: string) => {
        const log = await client.getJobLog({ params: { id } });
        answer(log, log.attempts.map(attemptText).join('\n\n') || 'ffmpeg has not run for this job.');
      }),
    );

function attemptText({ attempt, ffmpegVersion, commands, log }: Attempt): string {
  const lines = commands.map((args) => `$ ffmpeg ${args.map(shellQuote).join(' ')}`);
  return [`Attempt ${attempt}, ${ffmpegVersion}`, ...lines, log.trimEnd()].join('\n');
}
