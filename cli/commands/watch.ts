import { Command } from 'commander';
import { follow } from '../follow/follow.ts';
import { namedJobs } from '../follow/named-jobs.ts';
import { unfinishedJobs } from '../follow/unfinished-jobs.ts';
import { jobProgress } from '../show/progress-view.ts';
import type { CommandOf } from '../tools/attend.ts';

export const watchCommand: CommandOf = (attend) =>
  new Command('watch')
    .description(
      'Shows the progress of all unfinished jobs, or of those named, until none is left or Ctrl-C.',
    )
    .argument('[job-ids...]', 'the jobs; all unfinished ones where none is named')
    .action(
      attend(async (tools, jobIds: string[]) => {
        const { client, signal, pause, programName } = tools;
        tools.nowThat({
          hint: `The jobs go on. Watch them again: ${[programName, 'watch', ...jobIds].join(' ')}`,
        });
        const read = jobIds.length === 0 ? unfinishedJobs(client) : namedJobs(client, jobIds);
        const view = tools.progress();
        const onRound = (jobs: Parameters<typeof jobProgress>[0][]) => {
          for (const job of jobs) view.show(jobProgress(job));
        };
        const jobs = await follow({ read, onRound, signal, pause }).finally(view.end);
        const completed = jobs.filter(({ state }) => state === 'completed').length;
        const said = `${completed} of ${jobs.length} jobs completed.`;
        tools.answer({ jobs }, jobs.length === 0 ? 'There are no unfinished jobs.' : said);
        return completed === jobs.length ? 'ok' : 'unsuccessful';
      }),
    );
