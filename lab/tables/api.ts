import { errorAdvice } from '@media-jobs/dashboard/error-advice';
import type { JobErrorCode } from '@media-jobs/video/errors';
import { type WarningCode, warningCodes } from '@media-jobs/video/media';
import { allScopes, defaultScopes, scopes } from '../../core/access/scopes.ts';
import type { Contract } from '../../core/api/contract.ts';
import { errorDescriptions } from '../../core/api/openapi/errors.ts';
import { contracts } from '../../core/api/registry.ts';
import { type ApiErrorCode, apiErrors } from '../../core/errors.ts';
import { table } from '../markdown/table.ts';

/** Every route with the credentials it accepts. */
export function routesTable(): string {
  const routes: readonly Contract[] = contracts;
  return table(
    ['Route', 'Description', 'Credentials', 'Scope of a key'],
    routes.map(({ method, path, summary, callers, scope }) => [
      `\`${method} ${path}\``,
      summary,
      credentials(callers),
      scope === undefined || scope === 'any' ? (scope ?? '') : `\`${scope}\``,
    ]),
  );
}

function credentials(callers: Contract['callers']): string {
  if (callers.length === 0) return 'none';
  return callers.includes('key') ? 'key or session' : 'session';
}

/** Every scope of API keys, with what it allows. */
export function scopesTable(): string {
  return table(
    ['Scope', 'Allows to', 'Default'],
    allScopes.map((scope) => [
      `\`${scope}\``,
      scopes[scope].charAt(0).toLowerCase() + scopes[scope].slice(1),
      defaultScopes.includes(scope) ? 'yes' : 'no',
    ]),
  );
}

/** Every error code of the API, by status. */
export function errorsTable(): string {
  return table(
    ['>Status', '`code`', 'Retryable', 'Meaning'],
    Object.entries(apiErrors).map(([code, { status, retryable }]) => [
      String(status),
      `\`${code}\``,
      retryable ? 'yes' : 'no',
      errorDescriptions[code as ApiErrorCode],
    ]),
  );
}

const causes: Readonly<Record<JobErrorCode, string>> = {
  INPUT_UNREACHABLE:
    'The input could not be downloaded: unknown host or upload, no response in time, or an error status.',
  INPUT_FORBIDDEN: 'The address is not public, or the file refers to other files, as playlists do.',
  INPUT_NOT_MEDIA: 'The input is not a media file, or it is truncated.',
  INPUT_TOO_LARGE:
    'The input has more bytes or pixels than the stage allows, or the job does not fit on the disk or into the memory of a worker.',
  INPUT_TOO_LONG: 'The input is longer than the stage allows, or its work would take longer than a worker has.',
  INPUT_UNSUPPORTED:
    'The recipe cannot process this input; the message says what is missing or which limit it exceeds.',
  INPUT_DAMAGED: 'More than half of the frames of the input are missing or cannot be decoded.',
  TRANSCODE_ERROR: 'ffmpeg failed, or its output does not match the plan.',
  UPLOAD_ERROR: 'The encoded file could not be stored.',
  TIMEOUT: 'The job exceeded the time limit of its worker, or waited too long for a worker.',
  COST_LIMIT: 'The job would cost, or has cost, more than its `maxCostUsd` or its caps allow.',
  WORKER_LOST:
    'Three workers in a row stopped without an error, usually for lack of memory, or AWS was not available to them.',
  INTERNAL_ERROR: 'The service failed.',
};

/** Every error code of a job, with its cause and what its owner can do. */
export function jobErrorsTable(): string {
  return table(
    ['`code`', 'Cause', 'Solution'],
    Object.entries(causes).map(([code, cause]) => [`\`${code}\``, cause, solutionOf(code as JobErrorCode)]),
  );
}

const warningMeanings: Readonly<Record<WarningCode, string>> = {
  INPUT_DAMAGED:
    'More than 0.5 % of the frames of the input, and at least two, are missing or damaged. Above 50 % the job fails with this code. Or its host sent fewer bytes than it stated, twice the same number; or it ends within a packet of MPEG-TS, MPEG-PS, Ogg or FLV, which state no length.',
  OUTPUT_FAILED: 'An optional output failed.',
  TRACK_DROPPED: 'A track was left out: its codec cannot be decoded, or the output format cannot hold it.',
  SUBTITLE_DROPPED: 'Subtitles were left out: they cannot be read, or the output format cannot hold them.',
  LANGUAGE_GUESSED:
    'The language of one of several tracks was guessed: the input calls it by a name, or a track of Matroska has none, whose default is English.',
  INPUT_UNSUPPORTED:
    'The recipe `probe` described the input; recipes that decode it would reject it, for the reason in the message.',
};

/** Every code of a job's warnings. */
export function warningsTable(): string {
  return table(
    ['`code`', 'Meaning'],
    warningCodes.map((code) => [`\`${code}\``, warningMeanings[code]]),
  );
}

/** The advice of the dashboard, also that for an error with `retryable` if it differs. */
function solutionOf(code: JobErrorCode): string {
  const advice = errorAdvice({ code, retryable: false });
  const ifRetryable = errorAdvice({ code, retryable: true });
  return ifRetryable.startsWith(advice) ? advice : `${advice} If \`retryable\`: ${ifRetryable}`;
}
