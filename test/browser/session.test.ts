import type { Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signIn, type Visitor } from '../builders/dashboard/browser.ts';
import { aDashboard, type Dashboard } from '../builders/dashboard/dashboard.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await aDashboard();
});
afterAll(() => dashboard?.stop());
afterEach(() => expect(dashboard.problems()).toEqual([]));

const jobsHeading = ({ page }: Visitor) => page.getByRole('heading', { name: 'Jobs', exact: true });

function isRenewal(request: Request): boolean {
  return request.postData()?.includes('grant_type=refresh_token') ?? false;
}

/** Everything that this browser keeps of the dashboard's origin. */
function kept({ page }: Visitor): Promise<string> {
  return page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
}

describe('a session', () => {
  it('begins by one click and leads to the page that was asked for, with no token in any storage', async () => {
    const visitor = await dashboard.visitor('/keys');
    const asked = visitor.page.waitForRequest(/code_challenge=[\w-]{43}&code_challenge_method=S256/);
    await signIn(visitor);
    expect((await asked).url()).toContain('response_type=code');
    await visitor.page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(visitor.page.url()).toMatch(/\/app\/keys$/);
    expect(await kept(visitor)).not.toMatch(/eyJ|refresh_token|access_token/);
  });

  it('goes on after a reload, without a click', async () => {
    const user = await dashboard.user('/jobs?state=failed');
    await user.page.reload();
    await jobsHeading(user).waitFor();
    expect(user.page.url()).toMatch(/\/app\/jobs\?state=failed$/);
  });

  it('is renewed by its refresh token before the access token ends', async () => {
    const user = await dashboard.user();
    await user.page.clock.install();
    await user.page.reload();
    await jobsHeading(user).waitFor();
    const renewal = user.page.waitForRequest(isRenewal);
    await user.page.clock.fastForward('09:30');
    expect((await (await renewal).response())?.status()).toBe(200);
    expect(await jobsHeading(user).isVisible()).toBe(true);
  });

  it('is renewed by whatever is asked next, where there was no network when it was time to', async () => {
    const user = await dashboard.user();
    await user.page.clock.install();
    await user.page.reload();
    await jobsHeading(user).waitFor();
    await user.page.route(/./, (route) => (isRenewal(route.request()) ? route.abort() : route.fallback()));
    const failed = user.page.waitForEvent('requestfailed', isRenewal);
    await user.page.clock.fastForward('09:30');
    await failed;
    await user.page.unrouteAll();
    const renewal = user.page.waitForRequest(isRenewal);
    await user.page.clock.fastForward('05:00');
    expect((await (await renewal).response())?.status()).toBe(200);
    expect(await jobsHeading(user).isVisible()).toBe(true);
  });

  it('that the provider has ended is asked for without a word of failure, and goes on where it was', async () => {
    const user = await dashboard.user('/keys');
    await user.context.clearCookies();
    await user.page.reload();
    await user.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await user.page.getByRole('alert').count()).toBe(0);
    expect(user.page.url()).toMatch(/\/app\/keys$/);
    await signIn(user);
    await user.page.getByRole('heading', { name: 'API keys' }).waitFor();
  });

  it('cannot go on while the provider is away, which is said', async () => {
    const user = await dashboard.user();
    await user.page.route(/openid-configuration/, (route) => route.abort());
    await user.page.reload();
    await user.page.getByText('The identity provider cannot be reached').waitFor();
  });

  it('ends by signing out, and is not begun again without a click', async () => {
    const user = await dashboard.user();
    await user.page.getByRole('button', { name: 'Sign out' }).click();
    await user.page.getByRole('button', { name: 'Sign out' }).click();
    const button = user.page.getByRole('button', { name: 'Sign in' });
    await button.waitFor();
    await user.page.reload();
    await button.waitFor();
  });
});
