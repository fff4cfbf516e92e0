import { type ApiErrorCode, apiErrors } from '../../errors.ts';
import { type Contract, errorCodesOf } from '../contract.ts';
import type { ErrorBody } from '../error-body.ts';
import type { JsonSchema } from './schemas.ts';

/** The general description of each code. The message of a response is more specific. */
export const errorDescriptions: Readonly<Record<ApiErrorCode, string>> = {
  VALIDATION_ERROR: 'A field or parameter is missing, unknown or invalid; `details` lists each one.',
  INVALID_JSON: 'The body is not valid JSON in UTF-8, or has U+FFFD, which must be escaped as `\\ufffd`.',
  INVALID_URL: 'A URL is not allowed, for example because of its scheme or an address that is not public.',
  INVALID_CURSOR: 'The cursor is not from a response of the same list with the same filters.',
  PRESET_NOT_FOUND: 'The caller has no preset of this name and version, or all its versions are drafts or retired.',
  WEBHOOK_NOT_CONFIGURED: 'No webhook URL is set.',
  UNAUTHORIZED: 'The API key or session token is missing, malformed, unknown, expired or revoked.',
  FORBIDDEN: 'The key lacks the scope, the route takes sessions only, or the signature of a file URL has expired.',
  NOT_FOUND: 'The caller has no resource with this id.',
  METHOD_NOT_ALLOWED: 'The path does not support this method; `Allow` lists those that it does.',
  JOB_NOT_CANCELLABLE:
    'The job has already ended in a state other than `cancelled`, or its files are becoming visible at its storage provider.',
  JOB_NOT_RETRYABLE: 'The job is not failed, rejected or cancelled.',
  JOB_NOT_TERMINAL: 'The job has not ended yet.',
  JOB_NOT_COMPLETED: 'The job is not completed.',
  JOB_NOT_PLAYABLE: 'The job, or its output, has neither a stream nor an MP4.',
  JOB_FILES_EXPIRED: 'The files of the job have expired.',
  STORAGE_PROVIDER_IN_USE: 'The storage provider is the default, or an unfinished job names it.',
  STORAGE_PROVIDER_OF_STAGE: 'The settings of the stage name the bucket: only they change or remove it.',
  PRESET_EXISTS: 'The version is stored already, or the name is that of a preset of the stage.',
  PRESET_OF_STAGE: 'The preset is a file of the stage: only a deployment changes it.',
  OWNER_BEING_ERASED: 'All data of the owner is being erased. Wait until that has ended.',
  SECRET_ROTATED_RECENTLY: 'Five signing secrets are valid: rotate again once the oldest has expired.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 16 KiB, or a playlist larger than a response can be.',
  UNSUPPORTED_MEDIA_TYPE: 'The Content-Type is not `application/json`, or the body has a Content-Encoding.',
  IDEMPOTENCY_KEY_REUSED: 'The Idempotency-Key was used for another request within 24 hours.',
  LIMIT_EXCEEDED:
    'The owner has reached a limit; `details` names it with its value and use. Retry after `Retry-After` seconds. Without that header waiting does not help, and `retryable` is false.',
  RATE_LIMITED:
    'The key or session sends too many requests. Retry after `Retry-After` seconds; `RateLimit-Policy` and `RateLimit` tell what is allowed in a time window and what is left.',
  INTERNAL_ERROR: 'The service failed. Its log has the cause under `requestId`.',
  UNAVAILABLE: 'A dependency of the service is unavailable. Retry after `Retry-After` seconds.',
};

/** Statuses that API Gateway answers too, in its own shape. */
const gatewayErrors: Readonly<Record<number, { description: string; message: string }>> = {
  413: { description: 'A body above 10 MB.', message: 'Request Entity Too Large' },
  429: { description: 'Too many requests.', message: 'Too Many Requests' },
  500: { description: 'A function failed.', message: 'Internal Server Error' },
  503: { description: 'No function could run, or not in time.', message: 'Service Unavailable' },
};

type ErrorSchemas = { error: JsonSchema; gatewayError: JsonSchema };

/** The error responses of a route by status, with an example of each code. */
export function buildErrorResponses(contract: Contract, schemas: ErrorSchemas): Record<string, unknown> {
  const byStatus = new Map<number, ApiErrorCode[]>(Object.keys(gatewayErrors).map((status) => [Number(status), []]));
  for (const code of errorCodesOf(contract)) {
    const { status } = apiErrors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, errorResponse(status, codes, schemas)]));
}

function errorResponse(status: number, codes: readonly ApiErrorCode[], schemas: ErrorSchemas) {
  const { error, gatewayError } = schemas;
  const gateway = gatewayErrors[status];
  const paragraphs = codes.map((code) => `\`${code}\`: ${errorDescriptions[code]}`);
  const examples = codes.map((code): [string, object] => [code, { $ref: `#/components/examples/${code}` }]);
  if (gateway !== undefined) {
    paragraphs.push(`${gateway.description} API Gateway sends this response in its own shape.`);
    examples.push(['gateway', { value: { message: gateway.message } }]);
  }
  const ofService = gateway === undefined ? error : { anyOf: [error, gatewayError] };
  return {
    description: paragraphs.join('\n\n'),
    headers: codes.some((code) => codesWithRetryAfter.has(code))
      ? { ...retryAfterHeader, ...(codes.includes('RATE_LIMITED') && rateHeaders) }
      : undefined,
    content: {
      'application/json': {
        schema: codes.length === 0 ? gatewayError : ofService,
        examples: Object.fromEntries(examples),
      },
    },
  };
}

const codesWithRetryAfter: ReadonlySet<ApiErrorCode> = new Set(['LIMIT_EXCEEDED', 'RATE_LIMITED', 'UNAVAILABLE']);

const retryAfterHeader = {
  'Retry-After': {
    description: 'Seconds to wait before a retry. API Gateway sends none.',
    schema: { type: 'integer' },
  },
};

/** draft-ietf-httpapi-ratelimit-headers-10. */
const rateHeaders = {
  'RateLimit-Policy': {
    description: 'With `RATE_LIMITED`: the requests `q` of a window of `w` seconds.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'With `RATE_LIMITED`: the requests `r` that are left for `t` seconds.',
    schema: { type: 'string' },
  },
};

/** An example of every error code, for the document's components. */
export function buildErrorExamples(contracts: readonly Contract[]): Record<string, { value: ErrorBody }> {
  const codes = new Set(contracts.flatMap(errorCodesOf));
  return Object.fromEntries([...codes].sort().map((code) => [code, { value: exampleOf(code) }]));
}

const detailExamples: Partial<Record<ApiErrorCode, ErrorBody['error']['details']>> = {
  VALIDATION_ERROR: [{ path: 'recipe.crf', message: 'Must be at most 51' }],
  LIMIT_EXCEEDED: [
    {
      path: 'maxUnfinishedJobs',
      message: '1000 of 1000 are in use',
      limit: 'maxUnfinishedJobs',
      value: 1000,
      use: 1000,
    },
  ],
};

function exampleOf(code: ApiErrorCode): ErrorBody {
  const { retryable } = apiErrors[code];
  const requestId = '8f2b6c1e-6f0d-4a57-9a57-1d0a4b7f3c22';
  const message = errorDescriptions[code].replaceAll('`', '');
  return {
    error: { code, message, retryable, requestId, details: detailExamples[code] },
  };
}
