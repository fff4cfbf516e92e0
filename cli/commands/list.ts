import { Command, Option } from 'commander';
import type { JobResource } from '../../core/api/job-resource.ts';
import { jobStates } from '../../core/jobs/states.ts';
import { jobName } from '../../formatting/job-name.ts';
import { formatAge } from '../../formatting/quantities.ts';
import type { CommandContext } from '../context/command-context.ts';
import type { CommandFactory } from '../context/run-action.ts';
import { type JobsQuery, listJobPages } from '../follow/job-pages.ts';
import { collectPair } from '../request/metadata-option.ts';
import { columns } from '../show/columns.ts';
import { nextPageCommand } from '../show/next-page-command.ts';
import { requestRecipes } from '../show/request-recipes.ts';
import { sanitizeLine } from '../show/sanitize.ts';

type Options = Omit<JobsQuery, 'limit'> & { limit: string; all?: boolean };

export const listCommand: CommandFactory = (attend) =>
  new Command('list')
    .description('Lists jobs, newest first.')
    .addOption(new Option('--state <state>', 'only jobs in this state').choices(jobStates))
    .option('--limit <number>', 'jobs in a page, 1 to 100', '20')
    .option('--cursor <cursor>', 'goes on where a page ended')
    .option('--all', 'every page, to the end')
    .option('--created-after <time>', 'only jobs from this moment on, such as 2026-03-01T12:00:00Z')
    .option('--created-before <time>', 'only jobs before this moment')
    .option('--metadata <key=value>', 'only jobs with this pair; once for each', collectPair)
    .action(attend(list));

async function list(tools: CommandContext, { all = false, limit, ...filters }: Options): Promise<undefined> {
  const { client, isJson, printResult, printNote, programName } = tools;
  const jobs: JobResource[] = [];
  let isFirst = true;
  for await (const page of listJobPages(client, { ...filters, limit: Number(limit) })) {
    if (isJson) jobs.push(...page.jobs);
    else printResult(page, jobTable(page.jobs, { now: tools.now(), isFirst }));
    isFirst = false;
    if (all && page.nextCursor !== null) continue;
    if (isJson) printResult({ jobs, nextCursor: page.nextCursor }, '');
    else if (page.nextCursor !== null)
      printNote(
        `There are more: ${nextPageCommand(programName, { ...filters, limit, cursor: page.nextCursor })}`,
      );
    return;
  }
}

const widths = [36, 10, 4, 14, 6];

function jobTable(jobs: readonly JobResource[], { now, isFirst }: { now: number; isFirst: boolean }): string {
  const rows = jobs.map(({ jobId, state, progress, request, createdAt }) => [
    ...[
      jobId,
      state,
      `${progress} %`,
      sanitizeLine(
        requestRecipes(request)
          .map(({ name }) => name)
          .join('+'),
      ),
      formatAge(createdAt, now),
    ],
    sanitizeLine(jobName({ request })),
  ]);
  const title = ['JOB', 'STATE', 'DONE', 'RECIPE', 'AGE', 'INPUT'];
  return columns(isFirst ? [title, ...rows] : rows, widths);
}
