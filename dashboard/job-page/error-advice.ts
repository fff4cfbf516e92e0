import type { JobErrorCode } from '../../core/errors.ts';

const advice: Record<JobErrorCode, string> = {
  INPUT_UNREACHABLE: 'Check that the URL opens without signing in and has not expired, then retry.',
  INPUT_FORBIDDEN: 'Use a public http or https address, or upload the file instead.',
  INPUT_NOT_MEDIA: 'Check that the URL leads to the file itself and not to a web page.',
  INPUT_TOO_LARGE: 'Cut or shrink the file first, or ask the operator to raise the limit of this stage.',
  INPUT_TOO_LONG: 'Cut the file into parts first, or ask the operator to raise the limit of this stage.',
  INPUT_UNSUPPORTED: 'Choose another recipe or other parameters for this file.',
  TRANSCODE_ERROR: "Look at ffmpeg's words in the log; another format or other parameters may work.",
  UPLOAD_ERROR: 'Retry: the file was made, but could not be stored.',
  TIMEOUT: 'Make less of it at a time: a shorter clip, a smaller size or a faster preset.',
  WORKER_LOST: 'Retry: the machine that worked on it went away, more than once.',
  INTERNAL_ERROR: 'Retry; if it fails again, tell the operator the id of this job.',
};

/** What the owner of a job can do about its error. */
export function errorAdvice({ code, retryable }: { code: JobErrorCode; retryable: boolean }): string {
  const what = advice[code];
  return retryable && !what.startsWith('Retry') ? `${what} Retrying may help.` : what;
}
