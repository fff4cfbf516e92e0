// @module-tag nightly
// @module-tag dashboard
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DashboardConfig } from '../../core/access/dashboard-config.ts';
import { signIn, type Visitor } from '../builders/dashboard/browser.ts';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';

const dashboard = aSharedDashboard();
let provider: WebServer;
const clientId = 'dashboard';

beforeAll(async () => {
  const signedOutUrl = `${dashboard.running.stage.baseUrl}/app/`;
  /** The parameter with the address to return to, by the path of a sign-out endpoint. Any other one is ignored. */
  const returnParameters = new Map([
    ['/cognito/logout', 'logout_uri'],
    ['/auth0/v2/logout', 'returnTo'],
  ]);
  provider = await aWebServer(({ path }, response) => {
    const { pathname, searchParams } = new URL(path, 'http://provider');
    const returnTo = searchParams.get(returnParameters.get(pathname) ?? '');
    if (searchParams.getAll('client_id').join() !== clientId || returnTo !== signedOutUrl) {
      return void response.writeHead(400).end('Required parameters are missing');
    }
    // Ends the session of the local provider: a cookie of 127.0.0.1 is valid for every port.
    const cookie = '_session=; Path=/; Max-Age=0';
    response.writeHead(302, { location: returnTo, 'set-cookie': [cookie, cookie.replace('=', '.legacy=')] });
    response.end();
  });
});
afterAll(() => provider?.close());

/** A signed-in user of a dashboard with changes to its configuration and to the provider's discovery document. */
async function aUser({ config = {}, metadata = {} }: { config?: Partial<DashboardConfig>; metadata?: object }) {
  const visitor = await dashboard.visitor();
  for (const [url, changes] of [
    ['**/app/config.json', config],
    ['**/.well-known/openid-configuration', metadata],
  ] as const) {
    await visitor.page.route(url, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...changes } });
    });
  }
  await visitor.page.reload();
  await signIn(visitor);
  return visitor;
}

/** Signs out with one click. The next sign-in must ask the provider's user again. */
async function signOut({ page }: Visitor): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/\/app\/$/);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Continue as Demo User' }).waitFor();
}

describe('signing out', () => {
  it('works with Cognito, which requires client_id and logout_uri', async () => {
    const user = await aUser({ metadata: { end_session_endpoint: `${provider.origin}/cognito/logout` } });
    await signOut(user);
  });

  it('works with a provider without a sign-out endpoint in its discovery document, such as Auth0', async () => {
    const { baseUrl } = dashboard.running.stage;
    const user = await aUser({
      config: {
        signOutUrl: `${provider.origin}/auth0/v2/logout`,
        signOutParameters: { returnTo: `${baseUrl}/app/`, federated: '' },
      },
      metadata: { end_session_endpoint: undefined },
    });
    await signOut(user);
    expect(provider.requests.at(-1)?.path).toContain('federated=');
  });
});

it('signing in sends the configured parameters, such as the audience that Auth0 requires', async () => {
  const visitor = await dashboard.visitor();
  await visitor.page.route('**/app/config.json', async (route) => {
    const response = await route.fetch();
    const signInParameters = { audience: 'https://api.example.com' };
    await route.fulfill({ response, json: { ...(await response.json()), signInParameters } });
  });
  await visitor.page.reload();
  const authorization = visitor.page.waitForRequest(/response_type=code/);
  await signIn(visitor);
  const { searchParams } = new URL((await authorization).url());
  expect(searchParams.get('audience')).toBe('https://api.example.com');
});
