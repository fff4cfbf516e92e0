import type { Step } from '@media-jobs/video/recipes';
import type { Job } from '../jobs/record.ts';
import { placeOf } from '../jobs/stored-file.ts';
import { type PricedStage, storageDays } from './region-prices.ts';

/** Where the files of a step of a job go. */
export type StepStorage = {
  /** Their storage is billed to its owner. */
  isForProvider: boolean;
  /** Each byte is billed as transfer to the internet. */
  isOutsideAws: boolean;
  /** Days that S3 bills them in the bucket of the stage. */
  days: number;
};

/** Where the files of each step of a job go, by the number of the step. */
export function stepStorage(
  { request, destination }: Pick<Job, 'request' | 'destination'>,
  steps: readonly Pick<Step, 'name'>[],
  stage: PricedStage,
): (index: number) => StepStorage {
  return (index) => {
    const folder = steps[index]?.name ?? 'output';
    const place = placeOf(destination, folder);
    return {
      isForProvider: place !== undefined,
      isOutsideAws: place?.isOutsideAws === true,
      days: storageDays(request, folder, stage),
    };
  };
}
