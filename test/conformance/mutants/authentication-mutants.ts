import type { Mutant } from './mutant.ts';
import { aProxyResponse, changed, instead, on, set } from './mutation.ts';
import type { HttpRequest, Mutation } from './proxy.ts';

const isSession = ({ headers }: HttpRequest) => headers.authorization?.startsWith('Bearer eyJ') === true;
const rejected = aProxyResponse(401, { error: { code: 'UNAUTHORIZED', message: 'No.', retryable: false } });

/** Changes the credential in either header. */
function withCredential(change: (credential: string) => string): Mutation {
  return (request, forward) => {
    const headers = { ...request.headers };
    for (const name of ['authorization', 'x-api-key']) {
      const [, scheme = '', credential] = /^(Bearer )?(.*)$/s.exec(headers[name] ?? '') ?? [];
      if (credential) headers[name] = scheme + change(credential);
    }
    return forward({ ...request, headers });
  };
}

/** Keeps accepting credentials that were accepted once. */
function remembersKeys(): Mutation {
  const known = new Set<string | undefined>();
  return async (request, forward) => {
    const response = await forward(request);
    const { authorization } = request.headers;
    if (response.status !== 401) known.add(authorization);
    return response.status === 401 && known.has(authorization) ? aProxyResponse(200, {}) : response;
  };
}

/** Changes response headers. */
function withHeaders(change: (headers: Headers, status: number) => void): Mutation {
  return async (request, forward) => {
    const response = await forward(request);
    change(response.headers, response.status);
    return response;
  };
}

const allowOrigin = 'access-control-allow-origin';

export const authenticationMutants: Mutant[] = [
  {
    breaks: 'authentication.either',
    how: 'rejects sessions',
    found: /GET \/api\/v1\/jobs returned 401/,
    api: () => async (request, forward) => (isSession(request) ? rejected : forward(request)),
  },
  {
    breaks: 'authentication.1',
    how: 'reads only one of the two headers',
    found: /GET \/api\/v1\/settings returned 401/,
    api: () => (request, forward) => {
      const { 'x-api-key': _, ...headers } = request.headers;
      return forward({ ...request, headers });
    },
  },
  {
    breaks: 'authentication.3.session',
    how: 'lets sessions read but not write',
    found: /PUT \/api\/v1\/settings returned 403/,
    api: () => instead('PUT /api/v1/settings', 403),
  },
  {
    breaks: 'authentication.3.same-data',
    how: 'hides the jobs of a key from a session',
    found: /GET \/api\/v1\/jobs\/\S+ returned 404/,
    api: () =>
      on('GET /api/v1/jobs/:id', async (request, forward) =>
        isSession(request) ? aProxyResponse(404) : forward(request),
      ),
  },
  {
    breaks: 'authentication.4',
    how: 'accepts revoked keys',
    found: /with a key that was revoked returned 200/,
    api: remembersKeys,
  },
  {
    breaks: 'authentication.5.missing',
    how: 'returns errors in the format of the gateway',
    found: /error\.code is missing/,
    api: () => async (request, forward) => {
      const response = await forward(request);
      return response.status === 401 ? aProxyResponse(401, { message: 'Unauthorized' }) : response;
    },
  },
  {
    breaks: 'authentication.5.prefix',
    how: 'accepts keys without the prefix',
    found: /a key without its prefix in authorization returned 200/,
    api: () =>
      withCredential((key) => (key.startsWith('nte_') || key.startsWith('eyJ') ? key : `nte_${key}`)),
  },
  {
    breaks: 'authentication.5.revoked',
    how: 'returns 403 for an unknown key',
    found: /a key that was revoked in authorization returned 403/,
    api: () => async (request, forward) => {
      const response = await forward(request);
      return response.status === 401 ? { ...response, status: 403 } : response;
    },
  },
  {
    breaks: 'authentication.5.altered',
    how: 'trims keys',
    found: /a key with an encoded space at its end in authorization returned 200/,
    api: () => withCredential((key) => key.replace(/(%20|\s)+$/, '')),
  },
  {
    breaks: 'authentication.6.configured',
    how: 'omits CORS headers on errors',
    found: /GET \/api\/v1\/jobs allows the origin null/,
    api: () => withHeaders((headers, status) => status >= 400 && headers.delete(allowOrigin)),
  },
  {
    breaks: 'authentication.6.configured',
    how: 'allows any origin although one is configured',
    found: /GET \/api\/v1\/jobs lets pages of any origin read it/,
    target: { origin: 'https://dashboard.example' },
  },
  {
    breaks: 'authentication.6.any',
    how: 'allows one origin although none is configured',
    found: /allows the origin https:\/\/dashboard\.example, not https:\/\/stranger\.example/,
    api: () => withHeaders((headers) => headers.set(allowOrigin, 'https://dashboard.example')),
  },
  {
    breaks: 'authentication.7',
    how: 'does not allow the header X-API-KEY',
    found: /accepted are the headers authorization,content-type$/,
    api: () =>
      withHeaders((headers) => headers.set('access-control-allow-headers', 'authorization,content-type')),
  },
  {
    breaks: 'errors.unauthorized',
    how: 'returns a retryable 401',
    found: /error\.retryable of a 401 is true/,
    api: () => async (request, forward) => {
      const response = await forward(request);
      return response.status === 401
        ? changed(response, (body) => set(body, 'error.retryable', true))
        : response;
    },
  },
];
