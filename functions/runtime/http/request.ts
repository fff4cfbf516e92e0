import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod';
import type { Contract, ContractInput } from '../../../core/api/contract.ts';
import { AppError, type ErrorDetail } from '../../../core/errors.ts';

/** The request is part of the record, which DynamoDB limits; 16 KiB leaves room for all else in it. */
const maxBodyBytes = 16 * 1024;

/**
 * Everything a route's contract says about its request, checked.
 * @throws AppError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON or VALIDATION_ERROR with its details
 */
export function readRequest<C extends Contract>(
  contract: C,
  event: APIGatewayProxyEventV2,
): ContractInput<C> {
  const { params, query, headers, body } = contract;
  return {
    params: params && parse(params, event.pathParameters ?? {}, 'path'),
    query: query && parse(query, event.queryStringParameters ?? {}, 'query'),
    headers: headers && parse(headers, event.headers, 'headers'),
    body: body && parse(body, readJson(event)),
  } as ContractInput<C>;
}

function readJson(event: APIGatewayProxyEventV2): unknown {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.byteLength > maxBodyBytes) {
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `The body is ${bytes.byteLength} bytes; at most ${maxBodyBytes} fit.`,
    );
  }
  const [mediaType = ''] = (event.headers['content-type'] ?? '').split(';');
  if (mediaType.trim().toLowerCase() !== 'application/json') {
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body as JSON, with Content-Type: application/json.',
    );
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError('INVALID_JSON', 'The body is not valid JSON in UTF-8.', { cause });
  }
}

function parse(schema: z.ZodType, value: unknown, place?: string): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues.flatMap((issue) => detailsOf(issue, place));
  const summary = details.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new AppError('VALIDATION_ERROR', `The request is not valid. ${summary}`, { details });
}

function detailsOf(issue: z.core.$ZodIssue, place: string | undefined): ErrorDetail[] {
  const at = (path: PropertyKey[]) =>
    [...(place === undefined ? [] : [place]), ...path].map(String).join('.') || 'body';
  if (issue.code !== 'unrecognized_keys') return [{ path: at(issue.path), message: issue.message }];
  return issue.keys.map((key) => ({ path: at([...issue.path, key]), message: 'Unknown field' }));
}
