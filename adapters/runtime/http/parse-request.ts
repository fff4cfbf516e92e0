import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import type { Contract, ContractInput } from '../../../core/api/contract.ts';
import { issueDetails, issueMessage } from '../../../core/api/issue-message.ts';
import { assertStorable, leaveOutNulls, valuesIn } from '../../../core/api/request-values.ts';
import { AppError, invalidRequest } from '../../../core/errors.ts';

/** `rawBody` is the JSON body without its left-out nulls, before the schema adds its defaults. */
export type ParsedRequest<C extends Contract> = ContractInput<C> & { rawBody: unknown };

/** For the query or body of a route that declares none. `{}` is valid: some clients always send it. */
const emptySchema = z.strictObject({});

/**
 * Parses a request by its route's contract.
 * @throws AppError NOT_FOUND, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON or VALIDATION_ERROR with details
 */
export function parseRequest<C extends Contract>(
  { params, query = emptySchema, headers, body, nullsAreValues }: C,
  event: APIGatewayProxyEventV2,
): ParsedRequest<C> {
  const parsed = {
    params: params && parseParams(params, event.pathParameters ?? {}),
    query: validate(query, nestRecords(query, event.queryStringParameters ?? {}), 'query'),
    headers: headers && validate(headers, event.headers, 'headers'),
  };
  const sent = parseJsonBody(event, { required: body !== undefined && !body.safeParse(undefined).success });
  const rawBody = body === undefined || nullsAreValues ? sent : leaveOutNulls(body, sent);
  const hasBody = body !== undefined || rawBody !== undefined;
  const parsedBody = hasBody ? validate(body ?? emptySchema, rawBody) : undefined;
  assertStorable(rawBody);
  return { ...parsed, body: parsedBody, rawBody } as ParsedRequest<C>;
}

/** The request is part of the job's record, and a DynamoDB item is limited to 400 KB. */
const maxBodyBytes = 16 * 1024;

/**
 * Parses a JSON body; undefined without a body.
 * @throws AppError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON, or VALIDATION_ERROR for a `__proto__`
 */
function parseJsonBody(event: APIGatewayProxyEventV2, { required }: { required: boolean }): unknown {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.byteLength === 0 && !required) return undefined;
  if (bytes.byteLength > maxBodyBytes) {
    const message = `The body has ${bytes.byteLength} bytes; the limit is ${maxBodyBytes} bytes.`;
    throw new AppError('PAYLOAD_TOO_LARGE', message);
  }
  assertPlainJson(event.headers);
  const value = parseJson(bytes);
  rejectPrototypeKeys(value);
  return value;
}

function assertPlainJson(headers: APIGatewayProxyEventV2['headers']): void {
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';');
  if (mediaType.trim().toLowerCase() !== 'application/json')
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON, with Content-Type: application/json.');
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body uncompressed, without a Content-Encoding.');
  }
}

function parseJson(bytes: Uint8Array): unknown {
  // Replaces invalid UTF-8 by U+FFFD, as API Gateway does, which passes JSON as text.
  const text = new TextDecoder().decode(bytes);
  if (text.includes('\ufffd')) {
    const message = 'The body has bytes that are not UTF-8, or the character U+FFFD, which must be escaped as \\ufffd.';
    throw new AppError('INVALID_JSON', message);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (text.trim() === '') throw new AppError('INVALID_JSON', 'The body is empty: send JSON.', { cause });
    // What is wrong, and where if the engine knows, without the excerpt of the body, which may have a secret.
    const problem = (cause as SyntaxError).message.replace(/, (\.\.\.)?".*$/s, '');
    const message = `The body is not valid JSON in UTF-8: ${problem}.`;
    throw new AppError('INVALID_JSON', message, { cause });
  }
}

/** Rejects a `__proto__` key at any depth, because z.record drops it silently. */
function rejectPrototypeKeys(body: unknown): void {
  for (const [path, value] of valuesIn(body)) {
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__'))
      throw invalidRequest([{ path: `${path}.__proto__`.slice(1), message: 'Unknown field' }]);
  }
}

/** Query parameters as API Gateway decodes them: repeated ones are joined by commas. */
export type QueryString = Record<string, string | undefined>;

/**
 * Nests `field[<key>]=<value>`, which OpenAPI calls deepObject, and `field.<key>=<value>` into the record fields of a schema.
 * Other parameters keep their name, so that the schema rejects unknown ones, as it does the second of two with one key.
 */
function nestRecords(schema: z.ZodObject, query: QueryString): Record<string, unknown> {
  const unwrapped = (field: unknown) => (field instanceof z.ZodOptional ? field.unwrap() : field);
  const isRecord = (field: string) => unwrapped(schema.shape[field]) instanceof z.ZodRecord;
  const records = new Set(Object.keys(schema.shape).filter(isRecord));
  const topLevel: [string, unknown][] = [];
  const nested = new Map<string, Map<string, unknown>>();
  for (const [name, value] of Object.entries(query)) {
    const [, field = '', ofBrackets, ofDot] = /^(\w+)(?:\[(.*)\]|\.(.*))$/s.exec(name) ?? [];
    const key = ofBrackets ?? ofDot ?? '__proto__';
    const pairs = nested.get(field) ?? new Map<string, unknown>();
    if (key === '__proto__' || !records.has(field) || pairs.has(key)) topLevel.push([name, value]);
    else nested.set(field, pairs.set(key, value));
  }
  const fields = [...nested].map(([field, pairs]): [string, unknown] => [field, Object.fromEntries(pairs)]);
  return Object.fromEntries([...fields, ...topLevel]);
}

/** Bounds the error response of a body with many errors. */
const maxDetails = 20;

/**
 * Parses a value by its schema. `prefix` precedes every path of an error: `query`, or nothing for the body.
 * @throws AppError VALIDATION_ERROR with details
 */
function validate(schema: z.ZodType, value: unknown, prefix?: string): unknown {
  const result = schema.safeParse(value, { error: issueMessage });
  if (result.success) return result.data;
  throw invalidRequest(result.error.issues.flatMap((issue) => issueDetails(issue, prefix)).slice(0, maxDetails));
}

/** Parses path parameters. Throws AppError NOT_FOUND for an invalid id, as for an unknown one. */
function parseParams(schema: z.ZodType, params: unknown): unknown {
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  throw new AppError('NOT_FOUND', result.error.issues[0]?.message ?? 'No resource has this id.');
}
