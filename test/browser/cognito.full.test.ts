// @module-tag dashboard
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildDashboard } from '../../lib/build/build-dashboard.ts';
import { aBrowser, jobsHeading } from '../builders/dashboard/browser.ts';
import { aCognito } from '../builders/http/a-cognito.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';

const clientId = '1example23456789';
let cognito: Awaited<ReturnType<typeof aCognito>>;
let running: RunningStage;
const page = (path: string) => `${running.stage.baseUrl}/app/${path}`;

beforeAll(async () => {
  cognito = await aCognito({ clientId, callbackUrl: () => page('signed-in'), logoutUrl: () => page('') });
  running = await aRunningStage({
    dashboardDirectory: await buildDashboard(),
    environment: {
      OIDC_ISSUER: cognito.issuer,
      OIDC_AUDIENCE: clientId,
      OIDC_AUDIENCE_CLAIM: 'client_id',
      OIDC_JWKS_URI: `${cognito.issuer}/.well-known/jwks.json`,
    },
  });
});
afterAll(async () => {
  await running?.stop();
  await cognito?.close();
});

it('a user of a Cognito user pool signs in, comes back by a reload, and signs out of both', async () => {
  await using browser = await aBrowser();
  const context = await browser.newContext({ bypassCSP: true });
  // What a stage with `identityProvider` "cognito" writes into its configuration. Its Content-Security-Policy has a test of its own.
  await context.route('**/app/config.json', async (route) => {
    const response = await route.fetch();
    const ofPool = { issuer: cognito.issuer, clientId, scope: 'openid', signOutUrl: `${cognito.origin}/logout` };
    await route.fulfill({
      response,
      json: { ...(await response.json()), metadataUrl: undefined, resource: undefined, ...ofPool },
    });
  });
  const user = await context.newPage();
  await user.goto(page(''));
  await user.getByRole('button', { name: 'Sign in' }).click();
  await user.getByRole('button', { name: 'Sign in to Cognito' }).click();
  await jobsHeading({ page: user }).waitFor();

  await user.reload();
  await jobsHeading({ page: user }).waitFor();

  await user.getByRole('button', { name: 'Sign out' }).click();
  await user.waitForURL(page(''));
  await user.getByRole('button', { name: 'Sign in' }).click();
  await user.getByRole('button', { name: 'Sign in to Cognito' }).waitFor();
});

it('the access token of the pool opens the API; its ID token, and tokens for another client, do not', async () => {
  const { access_token, id_token } = cognito.tokens();
  const status = async (token: string) => (await running.apiAs(token)('GET', '/api/v1/jobs')).status;
  expect(await status(access_token)).toBe(200);
  expect(await status(id_token)).toBe(401);
});
