import type { Contract } from '../../core/api/contract.ts';
import { errorDescriptions } from '../../core/api/openapi/errors.ts';
import { contracts } from '../../core/api/registry.ts';
import { type ApiErrorCode, apiErrors, type JobErrorCode } from '../../core/errors.ts';
import { errorAdvice } from '../../dashboard/job-page/error-advice.ts';
import { table } from '../markdown/table.ts';

/** Every route, and who may call it. */
export function routesTable(): string {
  const routes: readonly Contract[] = contracts;
  return table(
    ['Route', '', 'Called with'],
    routes.map(({ method, path, summary, callers }) => [
      `\`${method} ${path}\``,
      summary,
      credentials(callers),
    ]),
  );
}

function credentials(callers: Contract['callers']): string {
  if (callers.length === 0) return 'nothing but its URL';
  return callers.includes('key') ? 'key or session' : 'session';
}

/** Every code that a route answers with, by status. */
export function errorsTable(): string {
  return table(
    ['>Status', '`code`', 'Retryable', ''],
    Object.entries(apiErrors).map(([code, { status, retryable }]) => [
      ...[String(status), `\`${code}\``, retryable ? 'yes' : 'no'],
      errorDescriptions[code as ApiErrorCode],
    ]),
  );
}

const meanings: Readonly<Record<JobErrorCode, string>> = {
  INPUT_UNREACHABLE:
    'The input could not be fetched: no such host or upload, no answer in time, or no success.',
  INPUT_FORBIDDEN: 'Its address is not public, or the file names other files, as playlists do.',
  INPUT_NOT_MEDIA: 'It is not a media file, or one that was cut off.',
  INPUT_TOO_LARGE: 'It has more bytes or pixels than the stage takes, or the work does not fit on the disk.',
  INPUT_TOO_LONG: 'It lasts longer than the stage takes.',
  INPUT_UNSUPPORTED:
    'The recipe can do nothing with it; the message says what is missing, or over which limit.',
  TRANSCODE_ERROR: 'ffmpeg broke off, or what it made is not what was planned.',
  UPLOAD_ERROR: 'The finished file could not be stored.',
  TIMEOUT: 'It took longer than one function lives, or nobody began within the time that jobs may wait.',
  WORKER_LOST: 'Three workers in a row stopped without a word, most often for lack of memory.',
  INTERNAL_ERROR: 'The service itself failed.',
};

/** Every code that a job ends with, and what its owner can do. */
export function jobErrorsTable(): string {
  return table(
    ['`code`', 'What happened', 'What to do'],
    Object.entries(meanings).map(([code, meaning]) => [
      ...[`\`${code}\``, meaning],
      errorAdvice({ code: code as JobErrorCode, retryable: false }),
    ]),
  );
}
