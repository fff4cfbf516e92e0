import { describe, expect, it } from 'vitest';
import { contracts } from '../../../core/api/registry.ts';
import { sessionEnvironment } from '../../../lib/settings/identity.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';

const provider = { issuer: 'https://id.example/', audience: 'https://api.example' };
const read = (identityProvider: object, stage = 'dev') => readSettings({ [stage]: { identityProvider } }, stage);

describe('the identity provider of a stage', () => {
  it('sets issuer and audience in the environment by default', () => {
    expect(sessionEnvironment(read(provider).identityProvider)).toEqual({
      OIDC_ISSUER: provider.issuer,
      OIDC_AUDIENCE: provider.audience,
      OIDC_AUDIENCE_CLAIM: 'aud',
    });
  });

  it('sets all configured values in the environment', () => {
    const more = { audienceClaim: 'client_id', organisationClaim: 'org_id', organisation: 'acme' };
    expect(sessionEnvironment(read({ ...provider, ...more }).identityProvider)).toMatchObject({
      OIDC_AUDIENCE_CLAIM: 'client_id',
      OIDC_ORGANISATION_CLAIM: 'org_id',
      OIDC_ORGANISATION: 'acme',
    });
  });

  it('has the URL of its keys in the environment of the local stage only, which replaces it', () => {
    const local = read({ ...provider, issuer: 'http://id.localhost' }, 'local').identityProvider;
    expect(sessionEnvironment(local)).toMatchObject({ OIDC_JWKS_URI: 'http://id.localhost/jwks' });
  });

  it('is optional: without one, API keys are the only credentials', () => {
    expect(sessionEnvironment(undefined)).toEqual({});
  });

  it.each([{ issuer: 'http://id.example/' }])('must be reached by https on a deployed stage: %j', (insecure) => {
    expect(() => read({ ...provider, ...insecure })).toThrow('https');
    expect(() => read({ ...provider, ...insecure }, 'local')).not.toThrow();
  });

  it('is configured for every route with authentication', () => {
    const withoutSessions = contracts.filter(({ callers }) => !(callers as readonly string[]).includes('session'));
    expect(withoutSessions.map(({ id }) => id)).toEqual([
      'getFile',
      'headFile',
      'getEmbedPage',
      'getHealth',
      'getOpenapi',
    ]);
  });
});
