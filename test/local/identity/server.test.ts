import {
  demoUser,
  type IdentityProvider,
  localAudience,
  localIssuer,
  startIdentityProvider,
} from '@media-jobs/local-stage/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oidcSessions } from '../../../adapters/oidc/sessions.ts';
import {
  aCookieSession,
  authorizationPath,
  redirectParameters,
  redirectUri,
  requestTokens,
  signIn,
  tokensAfterSignIn,
  verifier,
} from '../../../lib/local/sign-in.ts';
import { localOwner, localOwnerSalt } from '../../../lib/settings/local-owner.ts';

let identity: IdentityProvider;

beforeAll(async () => {
  identity = await startIdentityProvider({
    issuer: localIssuer,
    audience: localAudience,
    dashboardOrigin: 'http://127.0.0.1:8787',
  });
});
afterAll(() => identity.stop());

describe('the local identity provider', () => {
  it('the demo user gets, after one click, a token that the API accepts', async () => {
    const { access_token: token = '' } = await tokensAfterSignIn(identity);
    const settings = {
      issuer: localIssuer,
      audience: localAudience,
      audienceClaim: 'aud',
      tenancy: 'multi',
      jwksUri: identity.jwksUri,
    } as const;
    const verify = oidcSessions(settings, async () => localOwnerSalt);
    const subject = demoUser.subject;
    expect(await verify(token)).toEqual({ ownerId: localOwner(subject), subject });
  });

  it('a browser with a session signs in without a click, another one does not', async () => {
    const visit = aCookieSession(identity);
    const silent = authorizationPath({ prompt: 'none' });
    expect(redirectParameters(await visit(silent)).get('error')).toBe('login_required');
    await signIn(visit);
    expect(redirectParameters(await visit(silent)).get('code')).toBeTruthy();
  });

  it('a refresh token renews a session once', async () => {
    const { refresh_token: first = '' } = await tokensAfterSignIn(identity);
    const renew = (token: string) => requestTokens(identity, { grant_type: 'refresh_token', refresh_token: token });
    const renewed = await renew(first);
    expect(renewed.refresh_token).not.toBe(first);
    expect(renewed.access_token).toBeTruthy();
    expect(await renew(first)).toMatchObject({ error: 'invalid_grant' });
  });

  it('a code without its PKCE verifier is rejected', async () => {
    const code = (await signIn(aCookieSession(identity))).get('code') ?? '';
    const stolen = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    expect(await requestTokens(identity, { ...stolen, code_verifier: verifier.toUpperCase() })).toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('a redirect to another address than the dashboard is rejected', async () => {
    const answer = await aCookieSession(identity)(
      authorizationPath({ redirect_uri: 'http://evil.example/app/signed-in' }),
    );
    expect(answer.status).toBe(400);
  });
});
