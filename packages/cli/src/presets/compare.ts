import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import type { JobResource } from '@media-jobs/core/api';
import { CliError } from '../cli-error.ts';
import type { CommandContext } from '../context/command-context.ts';
import { isLocalStage } from '../environment.ts';
import type { ExitName } from '../exit-codes.ts';
import { followJobs } from '../follow/follow-jobs.ts';
import { formatBytes, formatDollars, formatDuration } from '../formatting/quantities.ts';
import { jobProgress } from '../show/progress-view.ts';
import { columns } from '../show/sanitize.ts';
import { probeMedia } from '../submit/probe-media.ts';
import { downloadJobFiles } from '../transfer/download-files.ts';
import { uploadOnce } from '../transfer/remembered-uploads.ts';
import { findLocalFile, type LocalFile } from '../transfer/upload-from-disk.ts';
import { comparisonPage } from './comparison-page.ts';
import { type ComparedFile, openScorer } from './score-file.ts';

export type CompareOptions = { inputs: string[]; maxUsd?: number; directory?: string };

const maxInputs = 10;

/** A job of a comparison before it is submitted. Dollars: `usd` of half of such jobs, `limitUsd` of nine of ten. */
type Planned = { preset: string; file: LocalFile; usd: number; limitUsd: number };

/** Runs two presets on the same files, and shows their results side by side. */
export async function compare(
  context: CommandContext,
  presets: readonly [string, string],
  { inputs, maxUsd, directory = `comparison-${presets.join('-')}` }: CompareOptions,
): Promise<ExitName> {
  if (presets[0] === presets[1]) throw new CliError('usage', 'Name two different versions.');
  if (inputs.length > maxInputs) throw new CliError('usage', `At most ${maxInputs} inputs can be compared.`);
  const folder = resolve(context.workingDirectory, directory);
  const files = await Promise.all(inputs.map((input) => findLocalFile(resolve(context.workingDirectory, input))));
  const planned = await estimateAll(context, presets, files);
  const sumOf = (key: 'usd' | 'limitUsd') => planned.reduce((sum, each) => sum + each[key], 0);
  const estimatedUsd = sumOf('usd');
  context.printNote(`${planned.length} jobs, estimated at ${formatDollars(estimatedUsd)}`);
  if (maxUsd !== undefined && sumOf('limitUsd') > maxUsd)
    throw new CliError('usage', `The jobs may cost ${formatDollars(sumOf('limitUsd'))}, which is above --max-usd.`);
  await mkdir(folder, { recursive: false }).catch((cause: unknown) => {
    throw new CliError('file', `The folder ${folder} could not be created.`, {
      hint: 'Give another --directory.',
      cause,
    });
  });
  // Shares of the maximum: together the jobs cannot cost more.
  const scale = maxUsd === undefined ? undefined : maxUsd / sumOf('limitUsd');
  const jobs = await runAll(context, planned, scale);
  const compared = await readAll(context, planned, { jobs, folder });
  const usd = jobs.reduce((sum, { cost }) => sum + (cost?.usd ?? 0), 0);
  const page = join(folder, 'index.html');
  await writeFile(page, comparisonPage({ presets, files: compared, folder }));
  context.printResult({ files: compared, estimatedUsd, usd, page }, formatComparison(compared, { estimatedUsd, usd }));
  context.printNote(`To see the files side by side, open ${relative(context.workingDirectory, page)}`);
  return jobs.every(({ state }) => state === 'completed') ? 'ok' : 'unsuccessful';
}

/** Every file with both presets. Nothing is uploaded yet. */
async function estimateAll(
  { client, environment }: CommandContext,
  presets: readonly string[],
  files: readonly LocalFile[],
): Promise<Planned[]> {
  const planned: Planned[] = [];
  for (const file of files) {
    const media = await probeMedia(file, environment);
    for (const preset of presets) {
      const body = { mode: 'preset' as const, preset, input: { url: 'https://example.com/input' }, media };
      const { usd } = await client.estimateJob({ body });
      planned.push({ preset, file, usd: usd.p50, limitUsd: usd.p90 });
    }
  }
  return planned;
}

async function runAll(
  context: CommandContext,
  planned: readonly Planned[],
  scale: number | undefined,
): Promise<JobResource[]> {
  const { client, newId } = context;
  const urls = await uploadOnce(context, new Map(planned.map(({ file }) => [file.path, file])));
  // Jobs that run at once on one machine share its processors: their times and costs could not be compared.
  const groups = isLocalStage(context.environment) ? planned.map((one) => [one]) : [planned];
  const view = context.openProgressView();
  const onPoll = (jobs: JobResource[]) => {
    for (const job of jobs) view.show(jobProgress(job));
  };
  const ended: JobResource[] = [];
  try {
    for (const group of groups) {
      const jobIds: string[] = [];
      for (const { preset, file, limitUsd } of group) {
        const limit = scale === undefined ? {} : { maxCostUsd: limitUsd * scale };
        const { jobId } = await client.createJob({
          body: { mode: 'preset', preset, input: { url: urls.get(file.path) ?? '' }, ...limit },
          headers: { 'idempotency-key': newId() },
        });
        jobIds.push(jobId);
        context.setFailureHint({ hint: `Jobs that have not ended keep running: ${jobIds.join(', ')}` });
      }
      ended.push(...(await followJobs(context, { jobIds, onPoll })));
    }
    return ended;
  } finally {
    view.end();
  }
}

/** The files of each job in a folder of its own, scored against their input. */
async function readAll(
  context: CommandContext,
  planned: readonly Planned[],
  { jobs, folder }: { jobs: readonly JobResource[]; folder: string },
): Promise<ComparedFile[]> {
  const scorer = await openScorer(context, folder);
  const compared: ComparedFile[] = [];
  for (const [index, { preset, file }] of planned.entries()) {
    const job = jobs[index];
    if (job?.state !== 'completed') {
      context.printNote(`${basename(file.path)} by ${preset}: ${job?.state} ${job?.error?.message ?? ''}`);
      continue;
    }
    const path = join(folder, `${Math.floor(index / 2) + 1}-${preset}`);
    // Several files make this folder themselves.
    if (job.outputs === undefined) await mkdir(path);
    const downloads = await downloadJobFiles(job, context, { path, force: false, inputs: [] });
    const seconds = (Date.parse(job.completedAt ?? '') - Date.parse(job.startedAt ?? '')) / 1000;
    for (const { name: output, path: encoded, sizeBytes } of downloads) {
      const score = await scorer.score({ source: file.path, encoded });
      const of = { input: file.path, preset, output, path: encoded, sizeBytes };
      compared.push({ ...of, seconds, usd: job.cost?.usd ?? 0, ...score });
    }
  }
  return compared;
}

function formatComparison(files: readonly ComparedFile[], cost: { estimatedUsd: number; usd: number }): string {
  const rows = files.map(({ input, preset, output, sizeBytes, vmaf, vmafP5, seconds, usd }) => [
    ...[basename(input), output, preset, formatBytes(sizeBytes)],
    ...[vmaf?.toFixed(2) ?? '-', vmafP5?.toFixed(2) ?? '-', formatDuration(seconds), formatDollars(usd)],
  ]);
  const titles = ['INPUT', 'OUTPUT', 'PRESET', 'SIZE', 'VMAF', 'VMAF 5 %', 'TIME', 'PRICE'];
  const sum = `The jobs cost ${formatDollars(cost.usd)}, estimated at ${formatDollars(cost.estimatedUsd)}.`;
  return `${columns([titles, ...rows])}\n\n${sum}`;
}
