import type { JobRequestRecord } from '../jobs/request-record.ts';
import { keepDaysOf } from '../jobs/retention.ts';
import type { PricedStage } from './priced-stage.ts';

/** The days that are priced of files that stay until their job is deleted. */
const unlimitedDays = 365;

/** Days that S3 bills the bytes of an output, which its folder names. */
export function storageDays(
  request: JobRequestRecord,
  folder: string,
  { retentionDays, deletedFileDays = 0 }: PricedStage,
): number {
  const keepDays = keepDaysOf(request, folder);
  return keepDays === undefined ? retentionDays : (keepDays ?? unlimitedDays) + deletedFileDays;
}
