import { ApiError, apiErrorFromResponse } from './api-error.ts';
import type { OperationRequest, OperationResponse, OperationResult } from './operation.ts';
import { type OperationId, routes } from './routes.ts';

export type ClientOptions = {
  /** Where the API is, such as `https://media.example.com`; empty for a page's own origin. */
  baseUrl: string;
  /** An API key; or else `token`. */
  apiKey?: string;
  /** A session token, or what gives the one that is valid now. */
  token?: string | (() => string | Promise<string>);
  fetch?: typeof fetch;
};

/** A request may be left out where nothing of it is required. */
type RequestArgument<Id extends OperationId> =
  Record<string, never> extends OperationRequest<Id>
    ? [request?: OperationRequest<Id>]
    : [request: OperationRequest<Id>];

/** One method for each operation of the API, which returns the body of its answer, and `send` for all of the answer. */
export type Client = {
  [Id in OperationId]: (...argument: RequestArgument<Id>) => Promise<OperationResult<Id>>;
} & { send: Send };

type Send = <Id extends OperationId>(
  id: Id,
  ...argument: RequestArgument<Id>
) => Promise<OperationResponse<Id>>;

type AnyRequest = Parameters<typeof requestUrl>[2] & {
  headers?: Record<string, string | undefined>;
  body?: unknown;
  signal?: AbortSignal;
};

type AnyAnswer = { status: number; headers: Headers; body: unknown };

/** A client of the API. Its methods throw ApiError for whatever is not a success; a 304 is one for `send` alone. */
export function createClient(options: ClientOptions): Client {
  const send = (id: OperationId, request: AnyRequest = {}) => call(options, id, request);
  const methods = Object.keys(routes).map((id) => [
    id,
    async (request?: AnyRequest) => (await send(id as OperationId, request)).body,
  ]);
  return { ...Object.fromEntries(methods), send } as Client;
}

async function call(options: ClientOptions, id: OperationId, request: AnyRequest): Promise<AnyAnswer> {
  const [method = '', path = ''] = routes[id].split(' ');
  const { body, signal } = request;
  const { answer, text } = await reach(options, requestUrl(options.baseUrl, path, request), {
    method,
    headers: await headersOf(options, request),
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  });
  const read = parse(text) ?? textOf(answer, text);
  if (answer.ok || answer.status === 304)
    return { status: answer.status, headers: answer.headers, body: read };
  throw apiErrorFromResponse(answer, read);
}

async function reach(
  { fetch: ownFetch = fetch }: ClientOptions,
  url: string,
  init: RequestInit,
): Promise<{ answer: Response; text: string }> {
  try {
    const answer = await ownFetch(url, init);
    return { answer, text: await answer.text() };
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    const message = `The API could not be reached: ${String(cause)}`;
    throw new ApiError({ status: 0, code: 'UNREACHABLE', message, retryable: true, cause });
  }
}

async function headersOf(
  { apiKey, token }: ClientOptions,
  { headers = {}, body }: AnyRequest,
): Promise<Record<string, string>> {
  const credential = apiKey ?? (typeof token === 'function' ? await token() : token);
  const sent = Object.entries(headers).filter(
    (header): header is [string, string] => header[1] !== undefined,
  );
  return {
    ...Object.fromEntries(sent),
    ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
}

/** What an operation answers that is no JSON: playlists. */
function textOf({ ok, headers }: Response, text: string): string | undefined {
  const isJson = headers.get('content-type')?.includes('json') ?? true;
  return ok && !isJson ? text : undefined;
}

/** A proxy in between may answer anything. */
function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Parts = {
  params?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
};

/** The URL of a request; a record in its query becomes one parameter for each pair, `metadata.<key>=<value>`. */
export function requestUrl(baseUrl: string, path: string, { params = {}, query = {} }: Parts): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value !== 'object' || value === null) search.set(name, String(value));
    else for (const [key, pair] of Object.entries(value)) search.set(`${name}.${key}`, String(pair));
  }
  return baseUrl.replace(/\/$/, '') + filled + (search.size === 0 ? '' : `?${search}`);
}
