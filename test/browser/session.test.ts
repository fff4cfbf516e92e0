import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signIn, type Visitor } from '../builders/browser.ts';
import { aDashboard, type Dashboard } from '../builders/dashboard.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await aDashboard();
});
afterAll(() => dashboard?.stop());
afterEach(() => expect(dashboard.problems()).toEqual([]));

const jobsHeading = ({ page }: Visitor) => page.getByRole('heading', { name: 'Jobs', exact: true });

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
    const renewal = user.page.waitForRequest(
      (request) => request.postData()?.includes('grant_type=refresh_token') ?? false,
    );
    await user.page.clock.fastForward('09:30');
    expect((await (await renewal).response())?.status()).toBe(200);
    expect(await jobsHeading(user).isVisible()).toBe(true);
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
