import { Command, type OutputConfiguration } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { cancelCommand } from './commands/cancel.ts';
import { deleteCommand } from './commands/delete.ts';
import { deliveriesCommand } from './commands/deliveries.ts';
import { downloadCommand } from './commands/download.ts';
import { getCommand } from './commands/get.ts';
import { keysCommand } from './commands/keys.ts';
import { listCommand } from './commands/list.ts';
import { logCommand } from './commands/log.ts';
import { recipesCommand } from './commands/recipes.ts';
import { redeliverCommand } from './commands/redeliver.ts';
import { retryCommand } from './commands/retry.ts';
import { settingsCommand } from './commands/settings.ts';
import { submitCommand } from './commands/submit.ts';
import { usageCommand } from './commands/usage.ts';
import { watchCommand } from './commands/watch.ts';
import { webhookCommand } from './commands/webhook.ts';
import type { CommandFactory, RunAction } from './context/run-action.ts';

/** Every command. Adding one is its file and its line here. */
const commands = [
  submitCommand,
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
  settingsCommand,
  webhookCommand,
  keysCommand,
  recipesCommand,
] as const satisfies readonly CommandFactory[];

/** The program with all of its commands, whose work `attend` does. */
export function createProgram(
  attend: RunAction,
  { programName, output = {} }: { programName: string; output?: OutputConfiguration },
): Command {
  const program = new Command(programName)
    .description('Submits media jobs to the service, follows them and brings their files.')
    .version(manifest.version)
    .option('--json', 'one JSON document on standard output, errors as JSON on standard error')
    .addHelpText(
      'after',
      '\nMEDIA_JOBS_URL is the address of the service, MEDIA_JOBS_KEY an API key. All about it: docs/cli.md',
    );
  for (const command of commands) program.addCommand(command(attend));
  for (const command of [program, ...descendants(program)]) {
    // Errors are shown in one place, with everything else that fails.
    command.exitOverride().configureOutput({ ...output, outputError: () => undefined });
    command.configureHelp({ showGlobalOptions: true });
  }
  return program;
}

/** The commands below one, at any depth. */
export function descendants(command: Command): Command[] {
  return command.commands.flatMap((one) => [one as Command, ...descendants(one as Command)]);
}
