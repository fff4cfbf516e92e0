import { type ApiErrorCode, apiErrors } from '../../errors.ts';
import { type Contract, errorCodesOf } from '../contract.ts';
import type { ErrorBody } from '../error-body.ts';
import type { JsonSchema } from './schemas.ts';

/** The general description of each code. The message of a response is more specific. */
export const errorDescriptions: Readonly<Record<ApiErrorCode, string>> = {
  VALIDATION_ERROR: 'A field or parameter is missing, unknown or invalid; `details` lists each one.',
  INVALID_JSON: 'The body is not valid JSON in UTF-8.',
  INVALID_URL: 'A URL is not allowed, for example because of its scheme or an address that is not public.',
  INVALID_CURSOR: 'The cursor is not from a response of the same list with the same filters.',
  WEBHOOK_NOT_CONFIGURED: 'No webhook URL is set.',
  UNAUTHORIZED: 'The API key or session token is missing, malformed, unknown, expired or revoked.',
  FORBIDDEN:
    'The credential does not allow this: an API key without the scope or on a route for sessions, or a file URL whose signature has expired.',
  NOT_FOUND: 'The caller has no resource with this id.',
  METHOD_NOT_ALLOWED: 'The path does not support this method; `Allow` lists those that it does.',
  JOB_NOT_CANCELLABLE:
    'The job has already ended in a state other than `cancelled`, or its files are becoming visible at its storage provider.',
  JOB_NOT_RETRYABLE: 'The job is not failed, rejected or cancelled.',
  JOB_NOT_TERMINAL: 'The job has not ended yet.',
  STORAGE_PROVIDER_IN_USE: 'The storage provider is the default, or an unfinished job names it.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 16 KiB, or a playlist larger than a response can be.',
  UNSUPPORTED_MEDIA_TYPE: 'The Content-Type is not `application/json`, or the body has a Content-Encoding.',
  IDEMPOTENCY_KEY_REUSED: 'The Idempotency-Key was used for another request within 24 hours.',
  LIMIT_EXCEEDED:
    'The owner has reached a limit; `details` names it with its value and use. Retry after `Retry-After` seconds. Without it, `retryable` is false: waiting does not help.',
  INTERNAL_ERROR: 'The service failed. Its log has the cause under `requestId`.',
  UNAVAILABLE: 'A dependency of the service is unavailable. Retry after `Retry-After` seconds.',
};

const throttledDescription =
  'Too many requests. API Gateway sends this response in its own shape, as it does for a body above 10 MB.';
const throttledSchema = {
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string' } },
};
const throttledExample = { message: 'Too Many Requests' };

const throttled = {
  description: throttledDescription,
  content: { 'application/json': { schema: throttledSchema, example: throttledExample } },
};

/** The 429 of a route with limits of its own: its error response, or that of API Gateway. */
function limitedOrThrottled(limited: ReturnType<typeof errorResponse>) {
  const { schema, examples } = limited.content['application/json'];
  return {
    ...limited,
    description: `${limited.description}\n\n${throttledDescription}`,
    headers: retryAfterHeader,
    content: {
      'application/json': {
        schema: { anyOf: [schema, throttledSchema] },
        examples: { ...examples, throttled: { value: throttledExample } },
      },
    },
  };
}

/** The error responses of a route by status, with an example of each code. */
export function buildErrorResponses(contract: Contract, bodySchema: JsonSchema): Record<string, unknown> {
  const byStatus = new Map<number, ApiErrorCode[]>();
  for (const code of errorCodesOf(contract)) {
    const { status } = apiErrors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses = [...byStatus].map(
    ([status, codes]) => [status, errorResponse(codes, bodySchema)] as const,
  );
  const byCode = Object.fromEntries(responses);
  return { ...byCode, 429: byCode[429] === undefined ? throttled : limitedOrThrottled(byCode[429]) };
}

function errorResponse(codes: readonly ApiErrorCode[], schema: JsonSchema) {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorDescriptions[code]}`).join('\n\n'),
    headers: codes.includes('UNAVAILABLE') ? retryAfterHeader : undefined,
    content: {
      'application/json': {
        schema,
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

const retryAfterHeader = {
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: { type: 'integer' } },
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
    error: {
      code,
      message,
      retryable,
      requestId,
      details: detailExamples[code],
    },
  };
}
