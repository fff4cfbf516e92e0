import { version } from '@media-jobs/core/api';
import { Command, Help, type OutputConfiguration } from 'commander';
import { backfillCommand } from './commands/backfill.ts';
import { batchesCommand } from './commands/batches.ts';
import { completionCommand } from './commands/completion.ts';
import { downloadCommand, uploadCommand } from './commands/download.ts';
import {
  cancelCommand,
  deleteCommand,
  getCommand,
  logCommand,
  redeliverCommand,
  retryCommand,
} from './commands/job.ts';
import { keysCommand } from './commands/keys.ts';
import { listCommand } from './commands/list.ts';
import { listenCommand } from './commands/listen.ts';
import { demoCommand, startCommand } from './commands/local-stage.ts';
import { presetsCommand } from './commands/presets.ts';
import { providersCommand } from './commands/providers.ts';
import { recipesCommand } from './commands/recipes.ts';
import { settingsCommand } from './commands/settings.ts';
import { estimateCommand, submitCommand } from './commands/submit.ts';
import { limitsCommand, usageCommand } from './commands/usage.ts';
import { watchCommand } from './commands/watch.ts';
import { watchesCommand } from './commands/watches.ts';
import { deliveriesCommand, webhookCommand } from './commands/webhook.ts';
import type { CommandContext, CommandFactory } from './context/command-context.ts';
import { descendants } from './descendants.ts';

/** All commands. To add one, add its file and a line here. */
const commands = [
  submitCommand,
  uploadCommand,
  estimateCommand,
  listCommand,
  getCommand,
  watchCommand,
  downloadCommand,
  cancelCommand,
  retryCommand,
  deleteCommand,
  logCommand,
  deliveriesCommand,
  redeliverCommand,
  usageCommand,
  limitsCommand,
  settingsCommand,
  webhookCommand,
  listenCommand,
  keysCommand,
  providersCommand,
  presetsCommand,
  batchesCommand,
  watchesCommand,
  backfillCommand,
  recipesCommand,
  completionCommand,
  startCommand,
  demoCommand,
] as const satisfies readonly CommandFactory[];

export function createProgram(context: CommandContext, output: OutputConfiguration = {}): Command {
  const { programName } = context;
  const program = new Command(programName)
    .description('Submits media jobs, shows their progress and downloads their files.')
    .version(version)
    .option('--json', 'prints one JSON document to standard output, errors as JSON to standard error')
    .addHelpText(
      'after',
      `
Set MEDIA_JOBS_URL to the address of the service, MEDIA_JOBS_KEY to an API key.
Example: ${programName} submit holiday.mov --recipe compress --download
Manual:  docs/cli.md`,
    );
  for (const command of commands) program.addCommand(command(context));
  for (const command of [program, ...descendants(program)]) {
    // reportFailure prints the errors of commander too.
    command.exitOverride().configureOutput({ ...output, outputError: () => undefined });
    command.configureHelp({ showGlobalOptions: true, minWidthToWrap: 20, formatItem });
    const lines = examples[command.name()]?.map((line) => `  ${programName} ${line}`) ?? [];
    if (command.parent === program && lines.length > 0) {
      command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
    }
  }
  return program;
}

/** Columns beside the terms that a description needs. In a narrower terminal it stands below its term. */
const descriptionColumns = 40;

function formatItem(term: string, termWidth: number, description: string, help: Help): string {
  const columns = help.helpWidth ?? 80;
  if (columns - termWidth >= descriptionColumns)
    return Help.prototype.formatItem.call(help, term, termWidth, description, help);
  const indent = ' '.repeat(6);
  return `  ${term}\n${indent}${help.boxWrap(description, columns - indent.length).replaceAll('\n', `\n${indent}`)}`;
}

/** Command lines at the end of a command's help, by its path. */
const examples: Readonly<Record<string, readonly string[]>> = {
  submit: [
    'submit holiday.mov --recipe compress --crf 28 --download',
    'submit talk.mp4 --recipe hls --subtitles en=talk.en.srt --subtitles de=talk.de.srt --wait',
    'submit https://example.com/in.mp4 --recipe thumbnail --at best --format jpg --download poster.jpg',
    'submit intro.mp4 talk.mp4 --recipe concat --download whole.mp4',
  ],
  presets: [
    'submit talk.mp4 --preset course@2 --set recipe.maxWidth=960 --wait',
    'presets compare course@2 course@3 --inputs talk.mp4 film.mov --max-usd 1',
  ],
  batches: ['batches submit lectures.jsonl --preset course@2 --max-usd 50 --wait', 'batches report $batch'],
  backfill: ['backfill films --estimate', 'backfill films --max-usd 200', 'backfill films --again raw/1/film.mov'],
  upload: ['upload holiday.mov', 'submit "$(media-jobs upload holiday.mov)" --recipe compress'],
  estimate: ['estimate holiday.mov --recipe compress --crf 28'],
  list: ['list --state failed --limit 20'],
  download: ['download 01a2275c-5121-749e-bb70-64be78db8aaf videos/'],
  watch: ['watch', 'watch 01a2275c-5121-749e-bb70-64be78db8aaf'],
  listen: ['listen --forward http://localhost:3000/hook'],
  recipes: ['recipes', 'recipes hls'],
  completion: ['completion bash >> ~/.bashrc'],
};
