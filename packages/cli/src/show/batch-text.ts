import type { OperationResult } from '@media-jobs/client';
import { formatDollars, formatDuration, formatNumber } from '../formatting/quantities.ts';
import { columns } from './sanitize.ts';

type BatchResource = OperationResult<'getBatch'>;

/** A batch as rows of names and values. */
export function batchText(batch: BatchResource): string {
  const { batchId, state, watch, total, submitted, completed, failed, usd, maxUsd, estimate, error } = batch;
  const rows = [
    ['Batch', batchId],
    ['State', state],
    ...(watch === undefined ? [] : [['Watch', watch]]),
    ['Lines', formatNumber(total)],
    ['Submitted', formatNumber(submitted)],
    ['Completed', formatNumber(completed)],
    ['Failed', formatNumber(failed)],
    ['Cost', maxUsd === undefined ? formatDollars(usd) : `${formatDollars(usd)} of ${formatDollars(maxUsd)}`],
    ...(error === undefined ? [] : [['Reason', `${error.code}: ${error.message}`]]),
    ['Created', batch.createdAt],
    ...(batch.endedAt === undefined ? [] : [['Ended', batch.endedAt]]),
  ];
  const text = columns(rows);
  return estimate === undefined ? text : `${text}\n\n${estimateText(estimate)}`;
}

/** What the jobs of a backfill will take. */
export function estimateText({
  objects,
  sampled,
  hours,
  usd,
  seconds,
}: NonNullable<BatchResource['estimate']>): string {
  const facts = columns([
    ['Objects without a job', formatNumber(objects)],
    ['Headers read', formatNumber(sampled)],
    ['Media', formatDuration(hours * 3600)],
  ]);
  const ranges = columns([
    ['', 'TYPICAL', 'HIGH'],
    ['Price', formatDollars(usd.p50), formatDollars(usd.p90)],
    ['Time', formatDuration(seconds.p50), formatDuration(seconds.p90)],
  ]);
  return `${facts}\n\n${ranges}`;
}
