/** An answer of the API as it left the front. */
export type RecordedAnswer = { method: string; path: string; status: number; body: string };

export type Leak = { kind: string; where: string };

/** What secrets look like, whoever's they are. */
const shapes = {
  'an API key': /\bnte_[0-9A-Za-z]{48}\b/,
  'a session token': /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]*/,
  'a signing secret': /\bwhsec_[A-Za-z0-9+/]{20,}/,
  'the user info of a URL': /\bhttps?:\/\/[^\s/"@?#]+@/,
  'a signature of a URL': /X-Amz-(?:Signature|Security-Token|Credential)=/,
} as const;

type Kind = keyof typeof shapes;

/** The one answer whose purpose it is to tell the secret; examples of the document are nobody's secrets. */
const purposes: Partial<Record<Kind, (answer: RecordedAnswer) => boolean>> = {
  'an API key': ({ method, path, status }) => method === 'POST' && path === '/api/v1/keys' && status === 201,
  'a signing secret': ({ path, status }) =>
    path.startsWith('/api/v1/settings/webhook/secret') && status === 200,
  // Jobs, uploads, and documents that refer to files: all of them for the owner's eyes.
  'a signature of a URL': ({ status }) => status >= 200 && status < 300,
};

/** What a line of a log should not say. */
export function leaksInLogLine(line: string): Leak[] {
  return kindsIn(line).map((kind) => ({ kind, where: `the log: ${blurred(line)}` }));
}

/** What an answer should not say. A job's request is given back to whoever sent it, as it was sent. */
export function leaksInAnswer(answer: RecordedAnswer): Leak[] {
  if (answer.path === '/api/v1/openapi.json') return [];
  const told = withoutRequests(answer.body);
  return kindsIn(told)
    .filter((kind) => !purposes[kind]?.(answer))
    .map((kind) => ({ kind, where: `${answer.method} ${answer.path}, ${answer.status}: ${blurred(told)}` }));
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

/** A report that does not tell the secret on. */
function blurred(text: string): string {
  const all = new RegExp(
    Object.values(shapes)
      .map(({ source }) => source)
      .join('|'),
    'g',
  );
  return text.replace(all, (secret) => `${secret.slice(0, 8)}…`).slice(0, 300);
}
