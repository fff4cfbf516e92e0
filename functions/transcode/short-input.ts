import { JobError } from '@media-jobs/video/errors';
import type { JobWarning } from '@media-jobs/video/media';

/** A file that its host twice ended before the length that it states, and that is media all the same. */
export function shortInputWarning(label: string | undefined, shortfall: string): JobWarning {
  const file = label === undefined ? '' : `${label}: `;
  return { code: 'INPUT_DAMAGED', message: `${file}${shortfall}; the job was made of what arrived` };
}

/** Replaces the error of such a file that is no media: its host is the cause. */
export function shortInputError(cause: unknown, shortfall: string): unknown {
  if (!(cause instanceof JobError)) return cause;
  return new JobError('INPUT_UNREACHABLE', `${shortfall}. ${cause.message}`, { cause });
}
