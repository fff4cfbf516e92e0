import type * as z from 'zod';
import type { ApiErrorCode } from '../errors.ts';

/** Who may call a route: an API key, a dashboard session. A route without callers is open to anyone. */
export type Caller = 'key' | 'session';

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
  | 'media.delete'
  | 'deliveries.start'
  | 'webhooks.post';

/** One successful answer of a route. `headers` maps a header's name to what it says. */
export type ResponseContract = {
  description: string;
  schema?: z.ZodType;
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
  callers: readonly Caller[];
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodType;
  bodyExample?: unknown;
  responses: Readonly<Record<number, ResponseContract>>;
  /** The codes particular to this route; those every route shares are added from `sharedErrors`. */
  errors: readonly ApiErrorCode[];
  uses: readonly Use[];
};

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

/** What a route's app receives once everything the contract says has been checked. */
export type ContractInput<C extends Contract> = {
  params: Parsed<C['params']>;
  query: Parsed<C['query']>;
  headers: Parsed<C['headers']>;
  body: Parsed<C['body']>;
};

/** Keeps the literal types of a declaration, so that inputs and answers are inferred from its schemas. */
export function contract<const C extends Contract>(declaration: C): C {
  return declaration;
}
