import type { OperationResult } from '@media-jobs/client';
import { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import type { CommandFactory } from '../context/command-context.ts';
import { formatDuration } from '../formatting/quantities.ts';
import { table } from '../show/sanitize.ts';

export const watchesCommand: CommandFactory = (context) => {
  const watches = new Command('watches').description(
    'Shows the watches: new objects under their prefixes become jobs.',
  );
  watches
    .command('list', { isDefault: true })
    .description('Lists the watches of the service.')
    .action(async () => {
      const result = await context.client.listWatches();
      context.printResult(result, watchesText(result.watches));
    });
  const withName = (name: string, description: string) =>
    watches.command(name).description(description).argument('<name>', 'name of the watch');
  withName('show', 'Shows a watch.').action(async (name: string) => {
    const watch = (await context.client.listWatches()).watches.find((each) => each.name === name);
    if (watch === undefined) throw new CliError('conflict', `There is no watch ${name}.`);
    context.printResult(watch, watchesText([watch]));
  });
  withName('pause', 'Pauses a watch, with a session token in MEDIA_JOBS_KEY.').action(async (name: string) => {
    const watch = await context.client.pauseWatch({ params: { name } });
    context.printResult(watch, watchesText([watch]));
  });
  withName(
    'resume',
    'Resumes a watch, with a session token. Objects that came meanwhile become jobs within minutes.',
  ).action(async (name: string) => {
    const watch = await context.client.resumeWatch({ params: { name } });
    context.printResult(watch, watchesText([watch]));
  });
  return watches;
};

function watchesText(watches: readonly OperationResult<'pauseWatch'>[]): string {
  const rows = watches.map(({ name, state, lastSweepAt, objects, jobs, lagSeconds }) => [
    ...[name, state, lastSweepAt ?? 'not yet', String(objects), String(jobs)],
    lagSeconds === 0 ? 'none' : formatDuration(lagSeconds),
  ]);
  const titles = ['WATCH', 'STATE', 'LAST SWEEP', 'OBJECTS', 'JOBS', 'LAG'];
  return table(titles, rows, 'There are no watches. The settings of the stage name them.');
}
