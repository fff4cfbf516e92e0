import { type JobResource, jobStates } from '@media-jobs/core/api';
import { Command, Option } from 'commander';
import type { CommandContext, CommandFactory } from '../context/command-context.ts';
import { type JobsQuery, listJobPages } from '../follow/follow-jobs.ts';
import { optionName, shellQuote } from '../formatting/command-line.ts';
import { jobName } from '../formatting/job-name.ts';
import { formatAge } from '../formatting/quantities.ts';
import { collectPair } from '../request/parse-option.ts';
import { requestRecipes } from '../show/job-text.ts';
import { columns } from '../show/sanitize.ts';

type Options = Omit<JobsQuery, 'limit'> & { limit: string; all?: boolean };

export const listCommand: CommandFactory = (context) =>
  new Command('list')
    .description('Lists jobs.')
    .addOption(new Option('--state <states...>', 'only jobs in one of these states').choices(jobStates))
    .option('--limit <number>', 'jobs per page, 1 to 100', '20')
    .option('--cursor <cursor>', 'continues after a page')
    .option('--all', 'lists every page')
    .option('--created-after <time>', 'only jobs created at or after this time, such as 2026-03-01T12:00:00Z')
    .option('--created-before <time>', 'only jobs created before this time')
    .option('--completed-after <time>', 'only jobs that ended at or after this time')
    .option('--completed-before <time>', 'only jobs that ended before this time')
    .option('--metadata <key=value>', 'only jobs with this pair; repeat the option for several', collectPair)
    .option('--search <text>', 'a job id, the beginning of the name of its source, or a value of its metadata')
    .addOption(new Option('--order <order>', 'by creation: desc has the newest first').choices(['asc', 'desc']))
    .action((options: Options) => list(context, options));

async function list(context: CommandContext, { all = false, limit, ...filters }: Options): Promise<void> {
  const { client, isJson, printResult, printNote, programName } = context;
  const jobs: JobResource[] = [];
  let isFirst = true;
  for await (const page of listJobPages(client, { ...filters, limit: Number(limit) })) {
    if (isJson) jobs.push(...page.jobs);
    else printResult(page, formatJobs(page.jobs, { now: context.now(), isFirst }));
    isFirst = false;
    if (all && page.nextCursor !== null) continue;
    if (isJson) printResult({ jobs, nextCursor: page.nextCursor }, '');
    else if (page.nextCursor !== null) {
      const nextPage = nextPageCommand(programName, { ...filters, limit, cursor: page.nextCursor });
      printNote(`Next page: ${nextPage}`);
    }
    return;
  }
}

/** Fixed minimum widths, so that the columns of all pages align. */
const minWidths = [36, 10, 4, 14, 6];

function formatJobs(jobs: readonly JobResource[], { now, isFirst }: { now: number; isFirst: boolean }): string {
  const rows = jobs.map(({ jobId, state, progress, warnings, request, createdAt }) => {
    const recipeNames = requestRecipes(request).map(({ name }) => name);
    return [
      jobId,
      warnings.length === 0 ? state : `${state}, warnings: ${warnings.length}`,
      `${progress} %`,
      recipeNames.join('+'),
      formatAge(createdAt, now),
      jobName({ request }),
    ];
  });
  const title = ['JOB', 'STATE', 'DONE', 'RECIPE', 'AGE', 'INPUT'];
  if (isFirst && rows.length === 0) return 'No jobs were found.';
  return columns(isFirst ? [title, ...rows] : rows, minWidths);
}

type PageOptions = Record<string, string | readonly string[] | Record<string, string> | undefined>;

/** The shell command for the next page. It repeats the filters, because a cursor is only valid with the same filters. */
function nextPageCommand(programName: string, options: PageOptions): string {
  const flags = Object.entries(options).flatMap(([name, value]) =>
    valuesOf(value).map((each) => `--${optionName(name)} ${shellQuote(each)}`),
  );
  return [programName, 'list', ...flags].join(' ');
}

function valuesOf(value: PageOptions[string] = []): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value : Object.entries(value).map(([key, pair]) => `${key}=${pair}`);
}
