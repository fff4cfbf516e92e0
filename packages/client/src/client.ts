import { ApiError, apiErrorFromResponse, type FetchedResponse } from './api-error.ts';
import type { OperationRequest, OperationResponse, OperationResult } from './operation.ts';
import { type OperationId, routes } from './routes.ts';

export type ClientOptions = {
  /** Origin of the API, such as `https://media.example.com`; empty for the page's own origin. */
  baseUrl: string;
  /** An API key. Set this or `token`. */
  apiKey?: string;
  /** A session token, or a function that returns the current one. */
  token?: string | (() => string | Promise<string>);
  fetch?: (url: string, init: RequestInit) => Promise<FetchedResponse>;
};

/** The request argument, optional if the operation requires nothing. */
type RequestArgument<Id extends OperationId> =
  Record<string, never> extends OperationRequest<Id>
    ? [request?: OperationRequest<Id>]
    : [request: OperationRequest<Id>];

/** One method per operation of the API, which returns the response body. `send` returns status, headers and body. */
export type Client = {
  [Id in OperationId]: (...argument: RequestArgument<Id>) => Promise<OperationResult<Id>>;
} & { send: Send };

type Send = <Id extends OperationId>(id: Id, ...argument: RequestArgument<Id>) => Promise<OperationResponse<Id>>;

type AnyRequest = Parameters<typeof requestUrl>[2] & {
  headers?: Record<string, string | undefined>;
  body?: unknown;
  signal?: AbortSignal;
};

type AnyResponse = { status: number; headers: Headers; body: unknown };

/**
 * Creates a client of the API. Its methods throw ApiError unless the status is 2xx, and pass on what `fetch` throws other
 * than TypeError. `send` also returns a 304.
 */
export function createClient(options: ClientOptions): Client {
  const send = (id: OperationId, request: AnyRequest = {}) => call(options, id, request);
  const methods = Object.keys(routes).map((id) => [
    id,
    async (request?: AnyRequest) => (await send(id as OperationId, request)).body,
  ]);
  return { ...Object.fromEntries(methods), send } as Client;
}

async function call(options: ClientOptions, id: OperationId, request: AnyRequest): Promise<AnyResponse> {
  const [method = '', path = ''] = routes[id].split(' ');
  const { body, signal } = request;
  const { response, text } = await fetchText(options, requestUrl(options.baseUrl, path, request), {
    method,
    headers: await headersOf(options, request),
    body: body === undefined ? undefined : toJson(body),
    signal,
  });
  const parsed = parseJson(text) ?? plainText(response, text);
  if (response.ok || response.status === 304)
    return { status: response.status, headers: response.headers, body: parsed };
  throw apiErrorFromResponse(response, parsed);
}

async function fetchText(
  { fetch: ownFetch = fetch }: ClientOptions,
  url: string,
  init: RequestInit,
): Promise<{ response: FetchedResponse; text: string }> {
  try {
    const response = await ownFetch(url, init);
    return { response, text: await response.text() };
  } catch (cause) {
    // The Fetch standard has TypeError for a failed network; anything else is an error of `ownFetch`.
    if (init.signal?.aborted || !(cause instanceof TypeError)) throw cause;
    const message = 'The API could not be reached.';
    throw new ApiError({ status: 0, code: 'UNREACHABLE', message, retryable: true, cause });
  }
}

async function headersOf(
  { apiKey, token }: ClientOptions,
  { headers = {}, body }: AnyRequest,
): Promise<Record<string, string>> {
  const credential = apiKey ?? (typeof token === 'function' ? await token() : token);
  const sent = Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined);
  return {
    ...Object.fromEntries(sent),
    ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
}

/** The API rejects a raw U+FFFD: API Gateway replaces invalid UTF-8 by it. */
function toJson(body: unknown): string {
  return JSON.stringify(body).replaceAll('\ufffd', '\\ufffd');
}

/** The body of an operation that returns text, such as a playlist. */
function plainText({ ok, headers }: Response, text: string): string | undefined {
  const isJson = headers.get('content-type')?.includes('json') ?? true;
  return ok && !isJson ? text : undefined;
}

/** Undefined if the text is not JSON: a proxy may answer anything. */
function parseJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

type UrlParts = {
  params?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
};

/** The URL of a request. A list in the query repeats its parameter; a record becomes one per pair: `metadata[<key>]=<value>`. */
function requestUrl(baseUrl: string, path: string, { params = {}, query = {} }: UrlParts): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const each of value) search.append(name, String(each));
    else if (typeof value !== 'object' || value === null) search.set(name, String(value));
    else for (const [key, pair] of Object.entries(value)) search.set(`${name}[${key}]`, String(pair));
  }
  return baseUrl.replace(/\/$/, '') + filled + (search.size === 0 ? '' : `?${search}`);
}
