import { createHash, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { aWebServer, type ReceivedRequest } from '@media-jobs/testing/web-server';
import { aTokenIssuer } from './session-tokens.ts';

type Options = { clientId: string; callbackUrl: () => string; logoutUrl: () => string };

/**
 * A user pool of Cognito with one user, whose endpoints answer as "User pool endpoints and managed login reference" of the
 * Amazon Cognito Developer Guide documents: unregistered addresses are errors, access tokens name the client in `client_id`
 * and have no `aud`, and a refresh gives no new refresh token.
 */
export async function aCognito({ clientId, callbackUrl, logoutUrl }: Options) {
  const keys = aTokenIssuer('cognito-key');
  const codes = new Map<string, { challenge: string; redirect: string }>();
  const user = { sub: '24c8e4d8-0001-7014-9b1d-0123456789ab', username: '24c8e4d8-0001-7014-9b1d-0123456789ab' };
  const token = (claims: object) =>
    keys.token(
      {
        iss: issuer(),
        ...user,
        auth_time: Math.floor(Date.now() / 1000),
        jti: randomUUID(),
        aud: undefined,
        ...claims,
      },
      { typ: undefined },
    );
  const tokens = () => ({
    id_token: token({ aud: clientId, token_use: 'id', 'cognito:username': user.username, email: 'ops@example.com' }),
    access_token: token({ client_id: clientId, token_use: 'access', version: 2, scope: 'openid' }),
    token_type: 'Bearer',
    expires_in: 3_600,
  });

  function authorize(query: URLSearchParams, request: ReceivedRequest, response: ServerResponse): void {
    const redirect = query.get('redirect_uri') ?? '';
    const isKnown = query.get('client_id') === clientId && redirect === callbackUrl();
    if (!isKnown) return void redirectTo(response, '/error?error=redirect_mismatch');
    const isSignedIn = /\bcognito=signed-in\b/.test(request.headers.cookie ?? '');
    if (!isSignedIn && request.method === 'GET') {
      response.setHeader('content-type', 'text/html');
      return void response.end('<form method="post"><input name="username"><button>Sign in to Cognito</button></form>');
    }
    const code = randomUUID();
    codes.set(code, { challenge: query.get('code_challenge') ?? '', redirect });
    response.setHeader('set-cookie', 'cognito=signed-in; HttpOnly; SameSite=Lax; Path=/');
    redirectTo(response, `${redirect}?${new URLSearchParams({ code, state: query.get('state') ?? '' })}`);
  }

  function exchange({ headers, body }: ReceivedRequest, response: ServerResponse) {
    response.setHeader('content-type', 'application/json');
    const form = new URLSearchParams(body);
    const refused = (error: string) => void response.writeHead(400).end(JSON.stringify({ error }));
    if (!headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return refused('invalid_request');
    if (form.get('client_id') !== clientId) return refused('invalid_client');
    if (form.get('grant_type') === 'refresh_token') {
      return form.get('refresh_token') === 'refresh'
        ? void response.end(JSON.stringify(tokens()))
        : refused('invalid_grant');
    }
    const issued = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (issued?.challenge !== challenge || issued.redirect !== form.get('redirect_uri'))
      return refused('invalid_grant');
    response.end(JSON.stringify({ ...tokens(), refresh_token: 'refresh' }));
  }

  function logout(query: URLSearchParams, response: ServerResponse): void {
    const isKnown = query.get('client_id') === clientId && query.get('logout_uri') === logoutUrl();
    if (!isKnown) return void response.writeHead(400).end('Required String parameter is missing');
    response.setHeader('set-cookie', 'cognito=; Path=/; Max-Age=0');
    redirectTo(response, logoutUrl());
  }

  const server = await aWebServer((request, response) => {
    const { pathname, searchParams } = new URL(request.path, 'http://cognito');
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
    response.setHeader('access-control-allow-headers', 'content-type, x-amz-user-agent');
    if (request.method === 'OPTIONS') return void response.end();
    if (pathname === '/pool/.well-known/openid-configuration') return void response.end(JSON.stringify(discovery()));
    if (pathname === '/pool/.well-known/jwks.json') return void response.end(JSON.stringify(keys.jwks));
    if (pathname === '/oauth2/authorize') return authorize(searchParams, request, response);
    if (pathname === '/oauth2/token' && request.method === 'POST') return exchange(request, response);
    if (pathname === '/logout') return logout(searchParams, response);
    response.writeHead(404).end();
  });
  const issuer = () => `${server.origin}/pool`;
  const discovery = () => ({
    authorization_endpoint: `${server.origin}/oauth2/authorize`,
    end_session_endpoint: `${server.origin}/logout`,
    id_token_signing_alg_values_supported: ['RS256'],
    issuer: issuer(),
    jwks_uri: `${issuer()}/.well-known/jwks.json`,
    response_types_supported: ['code', 'token'],
    revocation_endpoint: `${server.origin}/oauth2/revoke`,
    scopes_supported: ['openid', 'email', 'phone', 'profile'],
    subject_types_supported: ['public'],
    token_endpoint: `${server.origin}/oauth2/token`,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    userinfo_endpoint: `${server.origin}/oauth2/userInfo`,
  });
  return { origin: server.origin, issuer: issuer(), tokens, close: () => server.close() };
}

function redirectTo(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}
