import type { JobResource } from '@media-jobs/core/api';
import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';
import { followJobs } from '../follow/follow-jobs.ts';
import { jobProgress } from '../show/progress-view.ts';

export const watchCommand: CommandFactory = (context) =>
  new Command('watch')
    .description('Shows the progress of the given jobs, or of all unfinished ones, until every job is terminal.')
    .argument('[job-ids...]', 'jobs to watch; default: all unfinished jobs')
    .action(async (jobIds: string[]) => {
      const watchAgain = [context.programName, 'watch', ...jobIds].join(' ');
      const view = context.openProgressView();
      const onPoll = (jobs: JobResource[]) => {
        context.setFailureHint({ hint: `The jobs keep running. To watch them again: ${watchAgain}` });
        for (const job of jobs) view.show(jobProgress(job));
      };
      const jobs = await followJobs(context, { ...(jobIds.length > 0 && { jobIds }), onPoll }).finally(view.end);
      const completed = jobs.filter(({ state }) => state === 'completed').length;
      const summary = `${completed} of ${jobs.length} jobs completed.`;
      context.printResult({ jobs }, jobs.length === 0 ? 'There are no unfinished jobs.' : summary);
      context.setExit(completed === jobs.length ? 'ok' : 'unsuccessful');
    });
