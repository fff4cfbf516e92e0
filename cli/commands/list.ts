import { Command, Option } from 'commander';
import type { JobResource } from '../../core/api/job-resource.ts';
import { jobStates } from '../../core/jobs/states.ts';
import { formatAge } from '../../words/age.ts';
import { nameOf } from '../../words/job-name.ts';
import { type JobsQuery, pagesOfJobs } from '../follow/pages-of-jobs.ts';
import { addPair } from '../request/metadata-option.ts';
import { columns } from '../show/columns.ts';
import { nextPageLine } from '../show/next-page-line.ts';
import { plainLine } from '../show/plain-text.ts';
import { recipesOf } from '../show/request-words.ts';
import type { CommandOf } from '../tools/attend.ts';
import type { Tools } from '../tools/tools.ts';

type Options = Omit<JobsQuery, 'limit'> & { limit: string; all?: boolean };

export const listCommand: CommandOf = (attend) =>
  new Command('list')
    .description('Lists jobs, newest first.')
    .addOption(new Option('--state <state>', 'only jobs in this state').choices(jobStates))
    .option('--limit <number>', 'jobs in a page, 1 to 100', '20')
    .option('--cursor <cursor>', 'goes on where a page ended')
    .option('--all', 'every page, to the end')
    .option('--created-after <time>', 'only jobs from this moment on, such as 2026-03-01T12:00:00Z')
    .option('--created-before <time>', 'only jobs before this moment')
    .option('--metadata <key=value>', 'only jobs with this pair; once for each', addPair)
    .action(attend(list));

async function list(tools: Tools, { all = false, limit, ...filters }: Options): Promise<undefined> {
  const { client, isJson, answer, note, programName } = tools;
  const jobs: JobResource[] = [];
  let isFirst = true;
  for await (const page of pagesOfJobs(client, { ...filters, limit: Number(limit) })) {
    if (isJson) jobs.push(...page.jobs);
    else answer(page, jobTable(page.jobs, { now: tools.now(), isFirst }));
    isFirst = false;
    if (all && page.nextCursor !== null) continue;
    if (isJson) answer({ jobs, nextCursor: page.nextCursor }, '');
    else if (page.nextCursor !== null)
      note(`There are more: ${nextPageLine(programName, { ...filters, limit, cursor: page.nextCursor })}`);
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
      plainLine(
        recipesOf(request)
          .map(({ name }) => name)
          .join('+'),
      ),
      formatAge(createdAt, now),
    ],
    plainLine(nameOf({ request })),
  ]);
  const title = ['JOB', 'STATE', 'DONE', 'RECIPE', 'AGE', 'INPUT'];
  return columns(isFirst ? [title, ...rows] : rows, widths);
}
