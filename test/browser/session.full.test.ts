// @module-tag dashboard
import { describe, expect, it } from 'vitest';
import { jobsHeading, signIn, type Visitor } from '../builders/dashboard/browser.ts';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';

const dashboard = aSharedDashboard();

/** The content of local and session storage of the dashboard's origin. */
function storedData({ page }: Visitor): Promise<string> {
  return page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
}

describe('a session', () => {
  it('starts with one click, opens the requested page, and stores no token', async () => {
    const visitor = await dashboard.visitor('/keys');
    const authorization = visitor.page.waitForRequest(/code_challenge=[\w-]{43}&code_challenge_method=S256/);
    await signIn(visitor);
    expect((await authorization).url()).toContain('response_type=code');
    await visitor.page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(visitor.page.url()).toMatch(/\/app\/keys$/);
    expect(await storedData(visitor)).not.toMatch(/eyJ|refresh_token|access_token/);
  });

  it('continues after a reload without a click', async () => {
    const user = await dashboard.user('/jobs?state=failed');
    await user.page.reload();
    await jobsHeading(user).waitFor();
    expect(user.page.url()).toMatch(/\/app\/jobs\?state=failed$/);
  });

  it('ends by signing out, and does not restart without a click', async () => {
    const user = await dashboard.user();
    await user.page.getByRole('button', { name: 'Sign out' }).click();
    await user.page.getByRole('button', { name: 'Sign out' }).click();
    const button = user.page.getByRole('button', { name: 'Sign in' });
    await button.waitFor();
    await user.page.reload();
    await button.waitFor();
  });

  it('ends in every tab', async () => {
    const user = await dashboard.user();
    const otherTab = await user.context.newPage();
    await otherTab.goto('/app/keys');
    await otherTab.getByRole('heading', { name: 'API keys' }).waitFor();
    await user.page.getByRole('button', { name: 'Sign out' }).click();
    await otherTab.getByRole('button', { name: 'Sign in' }).waitFor();
  });
});
