import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import type { Contract, ContractInput } from '../../../core/api/contract.ts';
import { readJsonBody } from './json-body.ts';
import { nestRecords } from './query-string.ts';
import { readParams, validate } from './validate.ts';

/** `sent` is the body as it came, before the schema filled in its defaults. */
export type CheckedRequest<C extends Contract> = ContractInput<C> & { sent: unknown };

/** What a route takes that declares no query, or no body: clients that always send `{}` are welcome. */
const nothing = z.strictObject({});

/**
 * Everything a route's contract says about its request, checked.
 * @throws AppError NOT_FOUND, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON or VALIDATION_ERROR with its details
 */
export function readRequest<C extends Contract>(
  { params, query = nothing, headers, body }: C,
  event: APIGatewayProxyEventV2,
): CheckedRequest<C> {
  const checked = {
    params: params && readParams(params, event.pathParameters ?? {}),
    query: validate(query, nestRecords(query, event.queryStringParameters ?? {}), 'query'),
    headers: headers && validate(headers, event.headers, 'headers'),
  };
  const sent = readJsonBody(event, { required: body !== undefined });
  const read = body === undefined ? sent !== undefined && validate(nothing, sent) : validate(body, sent);
  return { ...checked, body: read, sent } as CheckedRequest<C>;
}
