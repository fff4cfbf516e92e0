import { type ApiErrorCode, apiErrors } from '../../errors.ts';
import { type Contract, errorCodesOf } from '../contract.ts';
import type { ErrorBody } from '../error-body.ts';
import type { JsonSchema } from './schemas.ts';

/** What each code says to the reader of the document; the message of an answer says more of its case. */
export const errorDescriptions: Readonly<Record<ApiErrorCode, string>> = {
  VALIDATION_ERROR: 'A field or parameter is missing, unknown or out of its range; `details` say which.',
  INVALID_JSON: 'The body is not JSON in UTF-8.',
  INVALID_URL:
    'A URL is refused for what its text shows, such as its scheme or an address that is not public.',
  INVALID_CURSOR: 'The cursor was not given by an answer to the same list with the same filters.',
  WEBHOOK_NOT_CONFIGURED: 'There is no webhook URL to send to.',
  UNAUTHORIZED: 'The API key or session token is missing, malformed, unknown, expired or revoked.',
  FORBIDDEN:
    'The credential is good, but not for this: an API key on a route for sessions; or a signature has expired.',
  NOT_FOUND: 'There is nothing under this id that the caller could see.',
  METHOD_NOT_ALLOWED: 'The path has other methods; `Allow` lists them.',
  JOB_NOT_CANCELLABLE: 'The job has ended already, in another state than `cancelled`.',
  JOB_NOT_RETRYABLE: 'The job is neither failed, rejected nor cancelled.',
  JOB_NOT_TERMINAL: 'The job has not ended yet.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 16 KiB.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not sent as `application/json`, or has a Content-Encoding.',
  IDEMPOTENCY_KEY_REUSED: 'The Idempotency-Key was used for another request within 24 hours.',
  INTERNAL_ERROR: 'The service failed; `requestId` finds the cause in its log.',
  UNAVAILABLE: 'A part of the service does not answer; try again after `Retry-After` seconds.',
};

const throttled = {
  description:
    'Too many requests. The gateway answers this itself, in its own shape; so it does a body above 10 MB.',
  content: {
    'application/json': {
      schema: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
      example: { message: 'Too Many Requests' },
    },
  },
};

/** The error answers of a route, by status, with an example of each code. */
export function buildErrorResponses(contract: Contract, bodySchema: JsonSchema): Record<string, unknown> {
  const byStatus = new Map<number, ApiErrorCode[]>();
  for (const code of errorCodesOf(contract)) {
    const { status } = apiErrors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses = [...byStatus].map(
    ([status, codes]) => [status, errorResponse(codes, bodySchema)] as const,
  );
  return { ...Object.fromEntries(responses), 429: throttled };
}

function errorResponse(codes: readonly ApiErrorCode[], schema: JsonSchema): object {
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
  'Retry-After': { description: 'Seconds to wait before another try.', schema: { type: 'integer' } },
};

/** An example of every code that the routes can answer, for the document's components. */
export function buildErrorExamples(contracts: readonly Contract[]): Record<string, { value: ErrorBody }> {
  const codes = new Set(contracts.flatMap(errorCodesOf));
  return Object.fromEntries([...codes].sort().map((code) => [code, { value: exampleOf(code) }]));
}

function exampleOf(code: ApiErrorCode): ErrorBody {
  const { retryable } = apiErrors[code];
  const requestId = '8f2b6c1e-6f0d-4a57-9a57-1d0a4b7f3c22';
  const message = errorDescriptions[code].replaceAll('`', '');
  const details = [{ path: 'recipe.crf', message: 'Too big: expected number to be <=51' }];
  return {
    error: {
      code,
      message,
      retryable,
      requestId,
      details: code === 'VALIDATION_ERROR' ? details : undefined,
    },
  };
}
