/** A response of the local stage's API. */
export type RecordedResponse = { method: string; path: string; status: number; body: string };

export type Leak = { kind: string; where: string };

/** Patterns of secrets. */
const shapes = {
  'an API key': /\bnte_[0-9A-Za-z]{48}\b/,
  'a session token': /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]*/,
  'a signing secret': /\bwhsec_[A-Za-z0-9+/]{20,}/,
  'the user info of a URL': /\bhttps?:\/\/[^\s/"@?#]+@/,
  'a signature of a URL': /X-Amz-(?:Signature|Security-Token|Credential)=|[?&]s=[\w-]{22}(?![\w-])/,
  'a content key': /"key":\s*"[0-9a-fA-F]{32}"/,
} as const;

type Kind = keyof typeof shapes;

/** Responses that are meant to hold a secret of a kind. */
const purposes: Partial<Record<Kind, (response: RecordedResponse) => boolean>> = {
  'an API key': ({ method, path, status }) => method === 'POST' && path === '/api/v1/keys' && status === 201,
  'a signing secret': ({ method, path, status }) =>
    (path.startsWith('/api/v1/settings/webhook/secret') && status === 200) ||
    (method === 'POST' && path === '/api/v1/webhook-endpoints' && status === 201),
  // Jobs, uploads and playlists: their owner gets signed URLs.
  'a signature of a URL': ({ status }) => status >= 200 && status < 300,
};

/** The secrets in a line of a log. */
export function leaksInLogLine(line: string): Leak[] {
  return kindsIn(line).map((kind) => ({ kind, where: `the log: ${blurred(line)}` }));
}

/**
 * The secrets in a response. A job's `request` is left out: the API returns it to its sender as it was, but for a content
 * key.
 */
export function leaksInResponse(response: RecordedResponse): Leak[] {
  if (response.path === '/api/v1/openapi.json') return [];
  const text = withoutRequests(response.body);
  const contentKeys = kindsIn(response.body).filter((kind) => kind === 'a content key');
  return [...new Set([...kindsIn(text), ...contentKeys])]
    .filter((kind) => !purposes[kind]?.(response))
    .map((kind) => ({ kind, where: `${response.method} ${response.path}, ${response.status}: ${blurred(text)}` }));
}

function kindsIn(text: string): Kind[] {
  return (Object.keys(shapes) as Kind[]).filter((kind) => shapes[kind].test(text));
}

export function withoutRequests(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body, (name, value) => (name === 'request' ? undefined : value)));
  } catch {
    return body;
  }
}

/** Shortens every secret in a text, so that a report does not leak it. */
function blurred(text: string): string {
  const all = new RegExp(
    Object.values(shapes)
      .map(({ source }) => source)
      .join('|'),
    'g',
  );
  return text.replace(all, (secret) => `${secret.slice(0, 8)}…`).slice(0, 300);
}
