import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import type { Contract, ContractInput } from '../../../core/api/contract.ts';
import { AppError, type ErrorDetail, invalidRequest } from '../../../core/errors.ts';

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

/** The request is part of the record, which DynamoDB limits; 16 KiB leaves room for all else in it. */
const maxBodyBytes = 16 * 1024;

/**
 * The JSON of a request's body; undefined where there is no body at all and no type that announces one.
 * @throws AppError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON, or VALIDATION_ERROR for a `__proto__`
 */
export function parseJsonBody(event: APIGatewayProxyEventV2, { required }: { required: boolean }): unknown {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.byteLength === 0 && !required) return undefined;
  if (bytes.byteLength > maxBodyBytes) {
    const message = `The body is ${bytes.byteLength} bytes; at most ${maxBodyBytes} fit.`;
    throw new AppError('PAYLOAD_TOO_LARGE', message);
  }
  refuseOtherTypes(event.headers);
  const value = parseJson(bytes);
  refusePrototypes(value);
  return value;
}

function refuseOtherTypes(headers: APIGatewayProxyEventV2['headers']): void {
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';');
  if (mediaType.trim().toLowerCase() !== 'application/json') {
    const message = 'Send the body as JSON, with Content-Type: application/json.';
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', message);
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as it is, without a Content-Encoding.');
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // The gateway hands JSON over as text, with U+FFFD in place of each byte that is not UTF-8.
    if (text.includes('\ufffd')) throw new TypeError('The body holds U+FFFD');
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('INVALID_JSON', 'The body is not valid JSON in UTF-8.', { cause });
  }
}

/** Schemas of records drop this name in silence; no field and no pair may be called so. Not recursive: depth is free. */
function refusePrototypes(value: unknown): void {
  const parts: unknown[] = [value];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    if (Object.hasOwn(part, '__proto__')) {
      throw invalidRequest([{ path: '__proto__', message: 'Unknown field' }]);
    }
    for (const inner of Object.values(part)) parts.push(inner);
  }
}

/** The parameters of a query as the gateway decoded them; repeated ones are joined by commas. */
export type QueryString = Record<string, string | undefined>;

/**
 * The parameters as their schema names them: where a field is a record, `field.<key>=<value>` becomes one of its pairs.
 * Anything else keeps its name, for the schema to refuse.
 */
export function nestRecords(schema: z.ZodObject, query: QueryString): Record<string, unknown> {
  const records = new Set(Object.keys(schema.shape).filter((field) => isRecord(schema.shape[field])));
  const plain: [string, unknown][] = [];
  const pairs = new Map<string, [string, unknown][]>();
  for (const [name, value] of Object.entries(query)) {
    const [field = '', key] = splitOnce(name);
    if (key === undefined || key === '__proto__' || !records.has(field)) plain.push([name, value]);
    else pairs.set(field, [...(pairs.get(field) ?? []), [key, value]]);
  }
  const nested = [...pairs].map(([field, of]): [string, unknown] => [field, Object.fromEntries(of)]);
  return Object.fromEntries([...nested, ...plain]);
}

function splitOnce(name: string): [string, string?] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
}

function isRecord(schema: unknown): boolean {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return inner instanceof z.ZodRecord;
}

/** A caller reads the first few; a body of nonsense would otherwise be answered with a far longer one. */
const mostDetails = 20;
const mostPathCharacters = 100;

/**
 * The value as its schema has it. `place` goes before every path: `query`, or nothing for the body.
 * @throws AppError VALIDATION_ERROR that says what is wrong and where
 */
export function validate(schema: z.ZodType, value: unknown, place?: string): unknown {
  const result = schema.safeParse(value, { error: messageOf });
  if (result.success) return result.data;
  throw invalidRequest(result.error.issues.flatMap((issue) => detailsOf(issue, place)).slice(0, mostDetails));
}

/** Where zod's own words are those of a programmer, ours. */
function messageOf({ code, input }: z.core.$ZodRawIssue): string | undefined {
  return code === 'invalid_type' && input === undefined ? 'Required' : undefined;
}

/** The parameters of a path. One that cannot exist is answered as one that does not: AppError NOT_FOUND. */
export function parseParams(schema: z.ZodType, params: unknown): unknown {
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  throw new AppError('NOT_FOUND', result.error.issues[0]?.message ?? 'There is nothing under this id.');
}

function detailsOf(issue: z.core.$ZodIssue, place: string | undefined): ErrorDetail[] {
  const at = (path: PropertyKey[]) => {
    const parts = [...(place === undefined ? [] : [place]), ...path];
    return parts.map(String).join('.').slice(0, mostPathCharacters) || 'body';
  };
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: at([...issue.path, key]), message: 'Unknown field' }));
  }
  return [{ path: at(issue.path), message: issue.message }];
}
