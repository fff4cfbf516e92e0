import type * as z from 'zod';
import type { Caller } from '../access/authentication.ts';
import type { ApiErrorCode } from '../errors.ts';

/**
 * What a route's function does with the stage's resources. The deployment grants exactly these actions and sets
 * the environment names that go with them: nothing else is reachable from the function.
 */
export type Use =
  | 'table.get'
  | 'table.query'
  | 'table.batchGet'
  | 'table.put'
  | 'table.update'
  | 'table.delete'
  | 'queue.send'
  | 'media.get'
  | 'media.put'
  | 'media.listParts'
  | 'media.delete'
  | 'deliveries.start'
  | 'parallel.stop'
  | 'webhooks.post';

/** One answer of a route that is not an error. `headers` maps a header's name to what it says. */
export type ResponseContract = {
  description: string;
  schema?: z.ZodType;
  /** Media types of a body that is text of its own kind, not JSON; the answer says which it is. */
  text?: readonly string[];
  headers?: Record<string, string>;
  example?: unknown;
};

/**
 * One route, declared once. Validation, types, the OpenAPI document, API Gateway routes, grants and the typed
 * client derive from it; its handler is `functions/api/<id in kebab-case>.ts`.
 */
export type Contract = {
  /** The OpenAPI operationId, in camelCase. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** An API Gateway path: `/api/v1/jobs/{id}`. */
  path: `/api/v1/${string}`;
  tag: string;
  summary: string;
  description?: string;
  /** Who may call the route; anyone where the list is empty. */
  callers: readonly Caller[];
  /** Where one does not fit, its message is that of the 404 for an unknown one. */
  params?: z.ZodObject;
  /** A field that is a record is sent as one parameter for each pair: `metadata.<key>=<value>`. */
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodType;
  bodyExample?: unknown;
  responses: Readonly<Record<number, ResponseContract>>;
  /** The codes particular to this route; `errorCodesOf` adds those that follow from the rest of the contract. */
  errors: readonly ApiErrorCode[];
  uses: readonly Use[];
};

/** A request that the service makes to its users, for the `webhooks` section of the OpenAPI document. */
export type WebhookContract = {
  /** The OpenAPI operationId, in camelCase. */
  id: string;
  tag: string;
  summary: string;
  description: string;
  headers: z.ZodObject;
  body: z.ZodType;
  examples: Readonly<Record<string, { summary: string; value: unknown }>>;
};

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

/** What a route's app receives once everything the contract says has been checked. */
export type ContractInput<C extends Contract> = {
  params: Parsed<C['params']>;
  query: Parsed<C['query']>;
  headers: Parsed<C['headers']>;
  body: Parsed<C['body']>;
};

type AnswerOf<Status extends number, R extends ResponseContract> = {
  status: Status;
  headers?: Record<string, string>;
} & (R extends { schema: infer Schema extends z.ZodType }
  ? { body: z.input<Schema> }
  : R extends { text: readonly (infer Type extends string)[] }
    ? { body: string; headers: { 'content-type': Type } }
    : { body?: undefined });

/** What a route's app answers: one of the contract's statuses, and a body that fits that status. */
export type ContractResult<C extends Contract> = {
  [Status in keyof C['responses'] & number]: AnswerOf<Status, C['responses'][Status]>;
}[keyof C['responses'] & number];

/** Keeps the literal types of a declaration, so that inputs and answers are inferred from its schemas. */
export function contract<const C extends Contract>(declaration: C): C {
  return declaration;
}

/** Every error code that a route can answer: its own, and those that follow from the rest of its contract. */
export function errorCodesOf({ callers, params, errors }: Contract): ApiErrorCode[] {
  const codes: ApiErrorCode[] = [...errors, ...everyRoute];
  if (callers.length > 0) codes.push('UNAUTHORIZED');
  if (callers.length === 1) codes.push('FORBIDDEN');
  if (params !== undefined) codes.push('NOT_FOUND');
  return [...new Set(codes)];
}

/** Those of bodies too, since a body that a route does not want is judged and refused like any other. */
const everyRoute = [
  'VALIDATION_ERROR',
  'INVALID_JSON',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
] as const satisfies readonly ApiErrorCode[];
