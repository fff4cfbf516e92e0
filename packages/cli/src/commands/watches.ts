import type { OperationResult } from '@media-jobs/client';
import { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import type { CommandFactory } from '../context/command-context.ts';
import { formatDuration } from '../formatting/quantities.ts';
import { table } from '../show/sanitize.ts';

type Watch = OperationResult<'pauseWatch'>;

export const watchesCommand: CommandFactory = (runAction) => {
  const watches = new Command('watches').description(
    'Shows the watches: new objects under their prefixes become jobs.',
  );
  watches
    .command('list', { isDefault: true })
    .description('Lists the watches of the service.')
    .action(
      runAction(async ({ client, printResult }) => {
        const result = await client.listWatches();
        printResult(result, watchesText(result.watches));
      }),
    );
  const withName = (name: string, description: string) =>
    watches.command(name).description(description).argument('<name>', 'name of the watch');
  withName('show', 'Shows a watch.').action(
    runAction(async ({ client, printResult }, name: string) => {
      const watch = (await client.listWatches()).watches.find((each) => each.name === name);
      if (watch === undefined) throw new CliError('conflict', `There is no watch ${name}.`);
      printResult(watch, watchesText([watch]));
    }),
  );
  withName('pause', 'Pauses a watch, with a session token in MEDIA_JOBS_KEY.').action(
    runAction(async ({ client, printResult }, name: string) => {
      const watch = await client.pauseWatch({ params: { name } });
      printResult(watch, watchesText([watch]));
    }),
  );
  withName(
    'resume',
    'Resumes a watch, with a session token. Objects that came meanwhile become jobs within minutes.',
  ).action(
    runAction(async ({ client, printResult }, name: string) => {
      const watch = await client.resumeWatch({ params: { name } });
      printResult(watch, watchesText([watch]));
    }),
  );
  return watches;
};

function watchesText(watches: readonly Watch[]): string {
  const rows = watches.map(({ name, state, lastSweepAt, objects, jobs, lagSeconds }) => [
    ...[name, state, lastSweepAt ?? 'not yet', String(objects), String(jobs)],
    lagSeconds === 0 ? 'none' : formatDuration(lagSeconds),
  ]);
  const titles = ['WATCH', 'STATE', 'LAST SWEEP', 'OBJECTS', 'JOBS', 'LAG'];
  return table(titles, rows, 'There are no watches. The settings of the stage name them.');
}
