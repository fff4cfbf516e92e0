import { expect, it } from 'vitest';
import { checkSignUp } from '../../../../lib/operator/preflight/check-sign-up.ts';
import { readSettings } from '../../../../lib/settings/read-settings.ts';

function check(issuer: string, more: object = {}, stage: object = {}) {
  const identityProvider = { issuer, audience: 'api', ...more };
  return checkSignUp(readSettings({ dev: { identityProvider, ...stage } }, 'dev'));
}

it.each([
  'https://accounts.google.com',
  'https://gitlab.com',
  'https://login.microsoftonline.com/common/v2.0',
  'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
])('of a stage of one team, the issuer %s must be replaced or restricted: anybody can sign up', (issuer) => {
  expect(check(issuer)).toMatchObject([
    { status: 'change', advice: expect.stringContaining('set identityProvider.organisationClaim') },
  ]);
  const ofOne = { organisationClaim: 'hd', organisation: 'example.com' };
  expect(check(issuer, ofOne)).toMatchObject([{ status: 'ok' }]);
  expect(check(issuer, {}, { tenancy: 'multi' })).toEqual([]);
});

it.each([
  'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_EXAMPLE',
  'https://login.microsoftonline.com/0d9c5d0e-2f0b-4d6c-9f68-1fa5c1b4f1f2/v2.0',
  'https://accounts.google.com.example.com',
])('who can sign up with %s is to be checked', (issuer) => {
  expect(check(issuer)).toMatchObject([
    { status: 'unknown', advice: expect.stringContaining('sign-up is turned off') },
  ]);
});

it('a stage without an identity provider has nothing to check', () => {
  expect(checkSignUp(readSettings({ dev: {} }, 'dev'))).toEqual([]);
});
