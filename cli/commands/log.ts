import { Command } from 'commander';
import type { OperationResult } from '../../client/operation.ts';
import { shellQuoted } from '../../words/shell-quoted.ts';
import type { CommandOf } from '../tools/attend.ts';

type Attempt = OperationResult<'getJobLog'>['attempts'][number];

export const logCommand: CommandOf = (attend) =>
  new Command('log')
    .description('Shows what ffmpeg was asked and said, for each attempt.')
    .argument('<job-id>', 'the job')
    .action(
      attend(async ({ client, answer }, id: string) => {
        const log = await client.getJobLog({ params: { id } });
        answer(log, log.attempts.map(attemptText).join('\n\n') || 'ffmpeg has not run for this job.');
      }),
    );

function attemptText({ attempt, ffmpegVersion, commands, log }: Attempt): string {
  const lines = commands.map((args) => `$ ffmpeg ${args.map(shellQuoted).join(' ')}`);
  return [`Attempt ${attempt}, ${ffmpegVersion}`, ...lines, log.trimEnd()].join('\n');
}
