import type { OperationRequest } from '@media-jobs/client';
import { Command } from 'commander';
import type { CommandContext, CommandFactory } from '../context/command-context.ts';
import type { ExitName } from '../exit-codes.ts';
import { type BatchResource, followBatch, printBatch } from '../follow/follow-batch.ts';
import { parseNumber } from '../request/parse-number.ts';
import { estimateText } from '../show/batch-text.ts';
import { createOnce, type IdempotencyOptions, idempotencyOption } from '../submit/create-once.ts';
import { aboutEstimates } from '../submit/estimate.ts';

type BatchBody = OperationRequest<'createBatch'>['body'];

export type StartOptions = IdempotencyOptions & { wait?: boolean };

type Options = StartOptions & { estimate?: boolean; maxUsd?: number; again?: string[] };

export const backfillCommand: CommandFactory = (context) =>
  new Command('backfill')
    .description('Makes a job of each object of a watch that has no job yet, and prints the id of the batch.')
    .argument('<watch>', 'name of the watch')
    .option('--estimate', 'makes no job: shows how many there would be, their hours, price and time')
    .option('--max-usd <dollars>', 'cost at which no further job is submitted', parseNumber)
    .option(
      '--again <key>',
      'makes another job of the object with this key, and no others; repeat the option for several',
      collectKey,
    )
    .option('--wait', 'waits until all jobs have ended, then shows the batch')
    .option(...idempotencyOption)
    .action(async (watch: string, options: Options) => context.setExit(await backfill(context, watch, options)));

function collectKey(key: string, before: readonly string[] = []): string[] {
  return [...before, key];
}

async function backfill(
  context: CommandContext,
  watch: string,
  { estimate, maxUsd, again, ...options }: Options,
): Promise<ExitName> {
  const body = { watch, maxUsd, again };
  if (!estimate) return startBatch(context, body, options);
  const { batchId } = await createBatch(context, { ...body, estimateOnly: true }, options);
  const batch = await followBatch(context, batchId);
  if (batch.estimate === undefined) return printBatch(context, batch);
  context.printResult(batch.estimate, estimateText(batch.estimate));
  context.printNote(aboutEstimates);
  return 'ok';
}

/** Starts a batch, and prints its id; with `wait` it follows the batch instead. */
export async function startBatch(
  context: CommandContext,
  body: BatchBody,
  { wait, ...options }: StartOptions,
): Promise<ExitName> {
  const created = await createBatch(context, body, options);
  const { batchId } = created;
  if (wait) return printBatch(context, await followBatch(context, batchId));
  context.printResult(created, batchId);
  context.printNote(`To follow it: ${context.programName} batches show ${batchId} --wait`);
  return 'ok';
}

function createBatch(
  context: CommandContext,
  body: BatchBody,
  options: IdempotencyOptions,
): Promise<Pick<BatchResource, 'batchId'>> {
  return createOnce(context, options, (headers) => context.client.createBatch({ body, headers }), 'batch');
}
