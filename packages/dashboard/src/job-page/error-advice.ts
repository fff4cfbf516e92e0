import type { JobErrorCode } from '@media-jobs/video/errors';

const advice: Record<JobErrorCode, string> = {
  INPUT_UNREACHABLE: 'Check that the URL opens without signing in and has not expired, then retry.',
  INPUT_FORBIDDEN: 'Use a public http or https address, or upload the file instead.',
  INPUT_NOT_MEDIA: 'Check that the URL points to the file itself, not to a web page.',
  INPUT_TOO_LARGE: 'Shorten or shrink the file first, or ask the operator to raise the limit of this stage.',
  INPUT_TOO_LONG: 'Split the file first, or ask the operator to raise the limit of this stage.',
  INPUT_UNSUPPORTED: 'Choose another recipe or other parameters for this file.',
  INPUT_DAMAGED: 'Use an undamaged copy of the file: most of this one cannot be decoded.',
  COST_LIMIT: 'Raise the maximum cost of the job, or choose a smaller size, a faster encoder preset or a shorter clip.',
  TRANSCODE_ERROR: 'Read the output of ffmpeg in the log. Another format or other parameters may work.',
  UPLOAD_ERROR: 'Correct the storage provider and test it, then retry. Without one, send the job ID to the operator.',
  TIMEOUT: 'Choose a shorter clip, a smaller size or a faster encoder preset.',
  WORKER_LOST: 'Choose a smaller size or a faster encoder preset if the workers lacked memory. Otherwise retry.',
  INTERNAL_ERROR: 'Send the job ID to the operator.',
};

/** Where a retry may succeed, and other advice fits better. */
const adviceIfRetryable: Partial<Record<JobErrorCode, string>> = {
  UPLOAD_ERROR: 'Retry: the file was encoded, but could not be stored.',
  TIMEOUT: 'Retry later: the job waited for too long.',
  INTERNAL_ERROR: 'Retry. If it fails again, send the job ID to the operator.',
};

export function errorAdvice({ code, retryable }: { code: JobErrorCode; retryable: boolean }): string {
  if (!retryable) return advice[code];
  const text = adviceIfRetryable[code] ?? advice[code];
  return /\bretry\b/i.test(text) ? text : `${text} Retrying may help.`;
}
