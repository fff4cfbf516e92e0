import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { OperationRequest } from '@media-jobs/client';
import { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import type { CommandContext, CommandFactory } from '../context/command-context.ts';
import type { ExitName } from '../exit-codes.ts';
import { followBatch, printBatch } from '../follow/follow-batch.ts';
import { formatAge, formatDollars } from '../formatting/quantities.ts';
import { parseNumber } from '../request/parse-number.ts';
import { parseJsonOrText } from '../request/parse-parameter.ts';
import { batchText } from '../show/batch-text.ts';
import { table } from '../show/sanitize.ts';
import { idempotencyOption } from '../submit/create-once.ts';
import { uploadOnce } from '../transfer/remembered-uploads.ts';
import { findLocalFile } from '../transfer/upload-from-disk.ts';
import { type StartOptions, startBatch } from './backfill.ts';

type ListOptions = { limit: string; cursor?: string };

type SubmitOptions = StartOptions & { preset?: string; request?: string; maxUsd?: number };

export const batchesCommand: CommandFactory = (context) => {
  const batches = new Command('batches').description('Makes a job of each line of a manifest.');
  batches
    .command('list', { isDefault: true })
    .description('Lists batches and backfills, newest first.')
    .option('--limit <number>', 'batches per page, 1 to 100', '20')
    .option('--cursor <cursor>', 'continues after a page')
    .action((options: ListOptions) => list(context, options));
  batches
    .command('submit')
    .description('Starts a batch and prints its id. Uploads a manifest that is a local file.')
    .argument('<manifest>', 'file of JSON lines { id, input, metadata?, output? }, or its URL')
    .option('--preset <name>', 'preset of all jobs: name, or name@version')
    .option('--request <json>', 'job without its input, in place of --preset: a JSON file, or JSON')
    .option('--max-usd <dollars>', 'cost at which no further job is submitted', parseNumber)
    .option('--wait', 'waits until all jobs have ended, then shows the batch')
    .option(...idempotencyOption)
    .action(async (manifest: string, options: SubmitOptions) =>
      context.setExit(await submit(context, manifest, options)),
    );
  const withId = (name: string, description: string) =>
    batches.command(name).description(description).argument('<batch-id>', 'id of the batch');
  withId('show', 'Shows a batch.')
    .option('--wait', 'waits until all jobs have ended')
    .action(async (id: string, { wait }: { wait?: boolean }) => {
      if (wait) return context.setExit(printBatch(context, await followBatch(context, id)));
      const batch = await context.client.getBatch({ params: { id } });
      context.printResult(batch, batchText(batch));
    });
  withId('report', 'Prints the failures as JSON lines; with --json as a list.').action((id: string) =>
    report(context, id),
  );
  withId('cancel', 'Submits no further line, and cancels the unfinished jobs.').action(async (id: string) => {
    const batch = await context.client.cancelBatch({ params: { id } });
    context.printResult(batch, batchText(batch));
  });
  return batches;
};

async function list(
  { client, now, printResult, printNote, programName }: CommandContext,
  { limit, cursor }: ListOptions,
): Promise<void> {
  const result = await client.listBatches({ query: { limit: Number(limit), cursor } });
  const rows = result.batches.map(({ batchId, state, total, completed, failed, usd, createdAt, watch }) => [
    ...[batchId, state, String(total), String(completed), String(failed)],
    ...[formatDollars(usd), formatAge(createdAt, now()), watch ?? ''],
  ]);
  const titles = ['BATCH', 'STATE', 'LINES', 'COMPLETED', 'FAILED', 'COST', 'AGE', 'WATCH'];
  printResult(result, table(titles, rows, 'There are no batches.'));
  const { nextCursor } = result;
  if (nextCursor !== null) printNote(`Next page: ${programName} batches list --limit ${limit} --cursor ${nextCursor}`);
}

async function submit(
  context: CommandContext,
  manifest: string,
  { preset, request, maxUsd, ...options }: SubmitOptions,
): Promise<ExitName> {
  if ((preset === undefined) === (request === undefined))
    throw new CliError('usage', 'Give either --preset or --request.');
  const asked = request === undefined ? { preset } : { request: await readRequest(request, context.workingDirectory) };
  const manifestUrl = await manifestUrlOf(context, manifest);
  return startBatch(context, { manifestUrl, ...asked, maxUsd }, options);
}

async function readRequest(text: string, workingDirectory: string) {
  const json = text.trimStart().startsWith('{') ? text : await readFile(resolve(workingDirectory, text), 'utf8');
  const request = parseJsonOrText(json);
  if (typeof request !== 'object') throw new CliError('usage', '--request is not a JSON object.');
  return request as OperationRequest<'createBatch'>['body']['request'];
}

async function manifestUrlOf(context: CommandContext, manifest: string): Promise<string> {
  if (/^[a-z0-9]+:\/\//i.test(manifest)) return manifest;
  const file = await findLocalFile(resolve(context.workingDirectory, manifest));
  const urls = await uploadOnce(context, new Map([[manifest, file]]));
  return urls.get(manifest) ?? '';
}

async function report({ client, signal, isJson, printResult }: CommandContext, id: string): Promise<void> {
  const { reportUrl } = await client.getBatch({ params: { id } });
  const response = reportUrl === null ? undefined : await fetch(reportUrl, { signal });
  if (response?.ok === false)
    throw new CliError('unavailable', `The report could not be read: the storage answered ${response.status}.`);
  const text = (await response?.text())?.trim() ?? '';
  const failures = isJson && text !== '' ? text.split('\n').map((line) => JSON.parse(line) as unknown) : [];
  printResult({ failures }, text);
}
