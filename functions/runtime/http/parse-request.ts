import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import type { Contract, ContractInput } from '../../../core/api/contract.ts';
import { parseJsonBody } from './json-body.ts';
import { nestRecords } from './query-string.ts';
import { parseParams, validate } from './validate.ts';

/** `sent` is the body as it came, before the schema filled in its defaults. */
export type ParsedRequest<C extends Contract> = ContractInput<C> & { rawBody: unknown };

/** What a route takes that declares no query, or no body: clients that always send `{}` are welcome. */
const nothing = z.strictObject({});

/**
 * Everything a route's contract says about its request, checked.
 * @throws AppError NOT_FOUND, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON or VALIDATION_ERROR with its details
 */
export function parseRequest<C extends Contract>(
  { params, query = nothing, headers, body }: C,
  event: APIGatewayProxyEventV2,
): ParsedRequest<C> {
  const checked = {
    params: params && parseParams(params, event.pathParameters ?? {}),
    query: validate(query, nestRecords(query, event.queryStringParameters ?? {}), 'query'),
    headers: headers && validate(headers, event.headers, 'headers'),
  };
  const rawBody = parseJsonBody(event, { required: body !== undefined });
  const read =
    body === undefined ? rawBody !== undefined && validate(nothing, rawBody) : validate(body, rawBody);
  return { ...checked, body: read, rawBody } as ParsedRequest<C>;
}
