import type { HttpRequest, Mutation, ProxyResponse } from './proxy.ts';

export type Json = Record<string, unknown>;

/** The requests that a mutation changes, such as `GET /api/v1/jobs/:id`; `:id` matches one path segment. */
export type Route = `${string} /${string}`;

/** Forwards everything unchanged. */
export const unchanged: Mutation = (request, forward) => forward(request);

/** Replaces the behaviour of one route. */
export function on(route: Route, mutation: Mutation): Mutation {
  const [method = '', path = ''] = route.split(' ');
  const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);
  return (request, forward) => {
    const isThere = request.method === method && pattern.test(request.path.split('?')[0] ?? '');
    return isThere ? mutation(request, forward) : forward(request);
  };
}

/** Changes the JSON of a route's responses. */
export function changingResponse(route: Route, change: (body: Json) => void): Mutation {
  return on(route, async (request, forward) => changed(await forward(request), change));
}

/** Changes the JSON of a route's requests. */
export function asking(route: Route, change: (body: Json) => void): Mutation {
  return on(route, (request, forward) => forward(changed(request, change)));
}

/** Sets one field of the JSON in a route's responses; undefined removes it. */
export function setting(route: Route, path: string, value: unknown): Mutation {
  return changingResponse(route, (body) => set(body, path, value));
}

/** Responds to a route without forwarding. */
export function instead(route: Route, status: number, body?: unknown): Mutation {
  return on(route, async () => aProxyResponse(status, body));
}

/** Changes the JSON of a message. A body that is not a JSON object is unchanged. */
export function changed<T extends ProxyResponse | HttpRequest>(message: T, change: (body: Json) => void): T {
  const body = parsed(message.body);
  if (body === undefined) return message;
  change(body);
  return { ...message, body: Buffer.from(JSON.stringify(body)) };
}

export function parsed(bytes: Buffer): Json | undefined {
  try {
    return JSON.parse(bytes.toString()) as Json;
  } catch {
    return undefined;
  }
}

export function aProxyResponse(status: number, body?: unknown): ProxyResponse {
  const headers = new Headers({ 'content-type': 'application/json' });
  return { status, headers, body: Buffer.from(body === undefined ? '' : JSON.stringify(body)) };
}

/** Sets the field at a path such as `data.error.code` if its parent exists. */
export function set(record: Json, path: string, value: unknown): void {
  const [name = '', ...rest] = path.split('.');
  const inner = record[name];
  if (rest.length > 0) {
    if (typeof inner === 'object' && inner !== null) set(inner as Json, rest.join('.'), value);
  } else if (value === undefined) delete record[name];
  else record[name] = value;
}

/** Sets a field of webhooks for jobs in this state, or in any state. */
export function telling(path: string, value: unknown, state?: string): Mutation {
  return tellingBy((body) => set(body, path, value), state);
}

/** Changes webhooks for jobs in this state, or in any state. */
export function tellingBy(change: (body: Json) => void, state?: string): Mutation {
  return (request, forward) => {
    const isMeant = state === undefined || reportedState(request) === state;
    return forward(isMeant ? changed(request, change) : request);
  };
}

/** The job state in a webhook. */
export function reportedState({ body }: HttpRequest): unknown {
  return (parsed(body)?.data as Json | undefined)?.state;
}
