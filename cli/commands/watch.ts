import { Command } from 'commander';
import type { CommandFactory } from '../context/run-action.ts';
import { followJobs } from '../follow/follow-jobs.ts';
import { readJobsById } from '../follow/jobs-by-id.ts';
import { readUnfinishedJobs } from '../follow/unfinished-jobs.ts';
import { jobProgress } from '../show/progress-view.ts';

export const watchCommand: CommandFactory = (attend) =>
  new Command('watch')
    .description(
      'Shows the progress of all unfinished jobs, or of those named, until none is left or Ctrl-C.',
    )
    .argument('[job-ids...]', 'the jobs; all unfinished ones where none is named')
    .action(
      attend(async (tools, jobIds: string[]) => {
        const { client, signal, pause, programName } = tools;
        tools.setFailureHint({
          hint: `The jobs go on. Watch them again: ${[programName, 'watch', ...jobIds].join(' ')}`,
        });
        const read = jobIds.length === 0 ? readUnfinishedJobs(client) : readJobsById(client, jobIds);
        const view = tools.openProgressView();
        const onRound = (jobs: Parameters<typeof jobProgress>[0][]) => {
          for (const job of jobs) view.show(jobProgress(job));
        };
        const jobs = await followJobs({ read, onRound, signal, pause }).finally(view.end);
        const completed = jobs.filter(({ state }) => state === 'completed').length;
        const said = `${completed} of ${jobs.length} jobs completed.`;
        tools.printResult({ jobs }, jobs.length === 0 ? 'There are no unfinished jobs.' : said);
        return completed === jobs.length ? 'ok' : 'unsuccessful';
      }),
    );
