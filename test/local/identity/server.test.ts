import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oidcSessions } from '../../../adapters/oidc/sessions.ts';
import { ownerOfClaims } from '../../../core/access/owner.ts';
import { dashboardClient, demoUser, localAudience, localIssuer } from '../../../local/identity/demo-user.ts';
import { type Identity, startIdentity } from '../../../local/identity/server.ts';

const redirectUri = 'http://127.0.0.1:1234/app/signed-in';
const verifier = 'a-verifier-of-at-least-forty-three-characters-in-all';
let identity: Identity;

beforeAll(async () => {
  identity = await startIdentity({ issuer: localIssuer, audience: localAudience });
});
afterAll(() => identity.stop());

/** What a browser does: keeps cookies, and follows redirects until one leads away from the provider. */
function aVisitor() {
  const cookies = new Map<string, string>();
  const visit = async (address: string, method = 'GET'): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(new URL(address, identity.origin), {
      method,
      redirect: 'manual',
      headers: { cookie },
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null || location.startsWith(redirectUri)) return answer;
    return visit(location);
  };
  return visit;
}

function authorization(more: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    client_id: dashboardClient.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: dashboardClient.scope,
    resource: localAudience,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  });
  return `/auth?${query}`;
}

/** Signs in by the one click there is, and gives the parameters that come back to the dashboard. */
async function signIn(visit: ReturnType<typeof aVisitor>): Promise<URLSearchParams> {
  const page = await (await visit(authorization())).text();
  const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
  return returned(await visit(action, 'POST'));
}

function returned(answer: Response): URLSearchParams {
  return new URL(answer.headers.get('location') ?? '').searchParams;
}

async function tokens(parameters: Record<string, string>): Promise<Record<string, string>> {
  const body = new URLSearchParams({ client_id: dashboardClient.id, ...parameters });
  const answer = await fetch(`${identity.origin}/token`, { method: 'POST', body });
  return (await answer.json()) as Record<string, string>;
}

function tokensFor(code: string): Promise<Record<string, string>> {
  return tokens({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
}

describe('the local identity provider', () => {
  it('gives the demo user, after one click, a token that the API takes as its owner', async () => {
    const { access_token: token = '' } = await tokensFor((await signIn(aVisitor())).get('code') ?? '');
    const verify = oidcSessions({
      issuer: localIssuer,
      audience: localAudience,
      audienceClaim: 'aud',
      jwksUri: identity.jwksUri,
    });
    const subject = demoUser.subject;
    expect(await verify(token)).toEqual({
      ownerId: ownerOfClaims({ issuer: localIssuer, subject, organisation: undefined }),
    });
  });

  it('signs a browser in again without a click, and no browser that it does not know', async () => {
    const visit = aVisitor();
    const silent = authorization({ prompt: 'none' });
    expect(returned(await visit(silent)).get('error')).toBe('login_required');
    await signIn(visit);
    expect(returned(await visit(silent)).get('code')).toBeTruthy();
  });

  it('renews a session by a refresh token that works once', async () => {
    const { refresh_token: first = '' } = await tokensFor((await signIn(aVisitor())).get('code') ?? '');
    const renew = (token: string) => tokens({ grant_type: 'refresh_token', refresh_token: token });
    const renewed = await renew(first);
    expect(renewed.refresh_token).not.toBe(first);
    expect(renewed.access_token).toBeTruthy();
    expect(await renew(first)).toMatchObject({ error: 'invalid_grant' });
  });

  it('gives nothing for a code without the verifier that belongs to it', async () => {
    const code = (await signIn(aVisitor())).get('code') ?? '';
    const stolen = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    expect(await tokens({ ...stolen, code_verifier: verifier.toUpperCase() })).toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('sends nobody to an address that is not the dashboard', async () => {
    const answer = await aVisitor()(authorization({ redirect_uri: 'http://evil.example/app/signed-in' }));
    expect(answer.status).toBe(400);
  });
});
