// @module-tag nightly
// @module-tag dashboard
import type { Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { jobsHeading, signIn } from '../builders/dashboard/browser.ts';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';

const dashboard = aSharedDashboard();

function isRenewal(request: Request): boolean {
  return request.postData()?.includes('grant_type=refresh_token') ?? false;
}

describe('a session', () => {
  it('is renewed by its refresh token before the access token expires', async () => {
    const user = await dashboard.user();
    await user.page.clock.install();
    await user.page.reload();
    await jobsHeading(user).waitFor();
    const renewal = user.page.waitForRequest(isRenewal);
    await user.page.clock.fastForward('09:30');
    expect((await (await renewal).response())?.status()).toBe(200);
    expect(await jobsHeading(user).isVisible()).toBe(true);
  });

  it('is renewed by the next request if the timed renewal failed', async () => {
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

  it('that the provider ended continues on the same page after a sign-in, without an error', async () => {
    const user = await dashboard.user('/keys');
    await user.context.clearCookies();
    await user.page.reload();
    await user.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await user.page.getByRole('alert').count()).toBe(0);
    expect(user.page.url()).toMatch(/\/app\/keys$/);
    await signIn(user);
    await user.page.getByRole('heading', { name: 'API keys' }).waitFor();
  });

  it('that the API ended leaves the content of the form for a new job, until the user has signed in again', async () => {
    const { page } = await dashboard.user('/new');
    await page.getByRole('radio', { name: 'Resize' }).click();
    await page.getByLabel('Or paste a URL').fill('https://media.example/film.mp4');
    await page.getByLabel('Width').fill('320');
    await page.route('**/api/v1/**', (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer expired' } }),
    );
    await page.getByRole('button', { name: 'Create job' }).click();
    const signInAgain = page.getByRole('button', { name: 'Sign in again' });
    await signInAgain.waitFor();
    await page.unrouteAll();
    await signInAgain.click();
    expect(await page.getByLabel('Width').inputValue()).toBe('320');
    expect(await page.getByLabel('Or paste a URL').inputValue()).toBe('https://media.example/film.mp4');
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('film.mp4');
  });

  it('shows an error if the provider cannot be reached', async () => {
    const user = await dashboard.user();
    await user.page.route(/openid-configuration/, (route) => route.abort());
    await user.page.reload();
    await user.page.getByText('The identity provider cannot be reached').waitFor();
  });
});
