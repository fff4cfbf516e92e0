import type * as z from 'zod';
import type { Caller } from '../access/authentication.ts';
import type { Scope } from '../access/scopes.ts';
import type { ApiErrorCode } from '../errors.ts';

/**
 * An action on a resource of the stage. The deployment grants a function exactly the actions in `uses` of its
 * routes and sets the environment variables that they need.
 */
export type Use =
  | 'table.get'
  | 'table.query'
  | 'waiting.query'
  | 'presets.read'
  | 'table.batchGet'
  | 'table.put'
  | 'playlists.put'
  | 'table.update'
  | 'table.delete'
  | 'table.batchWrite'
  | 'keys.get'
  | 'keys.query'
  | 'keys.put'
  | 'keys.update'
  | 'keys.delete'
  | 'keys.batchDelete'
  | 'audit.query'
  | 'watches.list'
  | 'watches.get'
  | 'watches.pause'
  | 'ownerSalt.update'
  | 'rates.take'
  | 'queue.send'
  | 'files.link'
  | 'player.embed'
  | 'edge.read'
  | 'edge.revoke'
  | 'outputs.get'
  | 'uploads.get'
  | 'work.price'
  | 'minute.price'
  | 'speeds.choose'
  | 'work.estimate'
  | 'media.put'
  | 'media.listParts'
  | 'media.abort'
  | 'media.delete'
  | 'deliveries.start'
  | 'batches.start'
  | 'batches.get'
  | 'parallel.stop'
  | 'secrets.encrypt'
  | 'secrets.decrypt'
  | 'contentKeys.encrypt'
  | 'roles.describe'
  | 'roles.assume'
  | 'buckets.describe'
  | 'buckets.open'
  | 'buckets.test'
  | 'webhooks.post';

/** A success response of a route. `headers` maps a header's name to its description. */
export type ResponseContract = {
  description: string;
  schema?: z.ZodType;
  /** Media types of a text body, which is not JSON. The app sets one of them as `content-type`. Beside `schema`: on request. */
  text?: readonly string[];
  headers?: Record<string, string>;
  example?: unknown;
};

/**
 * One route. Validation, types, the OpenAPI document, API Gateway routes, IAM grants and the typed client derive from
 * it.
 */
export type Contract = {
  /** The OpenAPI operationId, in camelCase. */
  id: string;
  /** The function that answers it: the folder of its handler in `functions/`. Routes of one function share its role. */
  function: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: `/api/v1/${string}` | '/health' | '/embed';
  tag: string;
  summary: string;
  description?: string;
  /** Empty for a route without authentication. */
  callers: readonly Caller[];
  /** Pages of any origin may read its answers, also on a stage whose dashboard has an origin. */
  anyOrigin?: true;
  /** The scope that an API key needs, or `any` if every key may call. Required if keys are among the callers. */
  scope?: Scope | 'any';
  /** A parameter that does not match answers 404 with the schema's message, as an unknown id does. */
  params?: z.ZodObject;
  /** A record field takes one parameter per pair: `metadata.<key>=<value>`. */
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodType;
  bodyExample?: unknown;
  /** No null of a body counts as left out. */
  nullsAreValues?: true;
  responses: Readonly<Record<number, ResponseContract>>;
  /** Error codes of this route alone; `errorCodesOf` adds those that follow from the rest of the contract. */
  errors?: readonly ApiErrorCode[];
  uses: readonly Use[];
  /** How many requests one counts for in the rate of its credential, at most ten: it may read tens of megabytes. Default: one. */
  countsAs?: number;
  /** Its requests have entries in the audit log. `made`: the field of the answer with the id of what was created. */
  audit?: { made?: string };
};

/** A request that the service sends to its users: the `webhooks` section of the OpenAPI document. */
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

/** The validated request that a route's app receives. */
export type ContractInput<C extends Contract> = {
  params: Parsed<C['params']>;
  query: Parsed<C['query']>;
  headers: Parsed<C['headers']>;
  body: Parsed<C['body']>;
};

type ResultOf<Status extends number, R extends ResponseContract> = {
  status: Status;
  headers?: Record<string, string>;
} & (
  | (R extends { schema: infer Schema extends z.ZodType } ? { body: z.input<Schema> } : never)
  | (R extends { text: readonly (infer Type extends string)[] }
      ? { body: string; headers: { 'content-type': Type } }
      : never)
  | (R extends { schema: z.ZodType } | { text: readonly string[] } ? never : { body?: undefined })
);

/** The response of a route's app: a status of the contract and a body that matches it. */
export type ContractResult<C extends Contract> = {
  [Status in keyof C['responses'] & number]: ResultOf<Status, C['responses'][Status]>;
}[keyof C['responses'] & number];

/** Declares a route. Its literal types are kept, so that requests and responses are inferred from the schemas. */
export function contract<const C extends Contract>(declaration: C): C {
  return declaration;
}

/** Every error code that a route can answer. */
export function errorCodesOf(declared: Contract): ApiErrorCode[] {
  const { callers, scope, params, errors = [] } = declared;
  const codes: ApiErrorCode[] = [...errors, ...errorsOfEveryRoute];
  if (callers.length > 0) codes.push('UNAUTHORIZED', 'RATE_LIMITED');
  if (callers.length > 0 && scope !== 'any') codes.push('FORBIDDEN');
  if (params !== undefined) codes.push('NOT_FOUND');
  if (isRefusedDuringErasure(declared)) codes.push('OWNER_BEING_ERASED');
  return [...new Set(codes)];
}

/** Includes the codes of invalid bodies: a route without a body validates one that is sent anyway. */
const errorsOfEveryRoute = [
  'VALIDATION_ERROR',
  'INVALID_JSON',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
] as const satisfies readonly ApiErrorCode[];

/** Whether a route refuses the sessions of an owner that is being erased: all changes but the request, which may be repeated. */
export function isRefusedDuringErasure({ id, method, callers }: Pick<Contract, 'id' | 'method' | 'callers'>): boolean {
  return method !== 'GET' && callers.includes('session') && id !== 'eraseOwner';
}
