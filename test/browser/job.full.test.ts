import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aDashboard, type Dashboard } from '../builders/dashboard/dashboard.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await aDashboard();
});
afterAll(() => dashboard?.stop());
afterEach(() => expect(dashboard.problems()).toEqual([]));

describe('the page of a job', () => {
  it('cancels a running job', async () => {
    const { jobId } = await dashboard.submit({ name: 'stuck.mp4' });
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    await page.getByText('Processing').first().waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Retry' }).waitFor();
    expect((await dashboard.ended(jobId)).state).toBe('cancelled');
  });

  it('shows why an input was rejected, and what to do', async () => {
    const { jobId } = await dashboard.submit({ name: 'missing.mp4' });
    await dashboard.ended(jobId);
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    await page.getByText('answered 404 Not Found').waitFor();
    await page.getByText('Check that the URL opens without signing in').waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('the original job').waitFor();
  });

  it('resends the webhook', async () => {
    dashboard.customer.receiver.status = 500;
    const webhookUrl = `${dashboard.customer.origin}/hook-${randomUUID()}`;
    const { jobId } = await dashboard.submit({ name: 'missing.mp4', webhookUrl });
    const { page } = await dashboard.user(`/jobs/${jobId}?tab=webhooks`);
    await page.getByText('Attempt 3 · 500').waitFor();
    await page.getByText('Response', { exact: true }).first().click();
    await page.getByText('the answer of the receiver').first().waitFor();

    dashboard.customer.receiver.status = 204;
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByText('Delivered').waitFor();
    const hooks = dashboard.customer.requests.filter(({ path }) => webhookUrl.endsWith(path));
    expect(new Set(hooks.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(hooks.length).toBe(4);
  });

  it('deletes a job after confirmation', async () => {
    const { jobId } = await dashboard.submit({ name: 'missing.mp4' });
    await dashboard.ended(jobId);
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete job' }).click();
    await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor();
    expect((await dashboard.running.api('GET', `/api/v1/jobs/${jobId}`)).status).toBe(404);
  });
});
