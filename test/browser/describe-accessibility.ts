import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ViewOptions } from '../builders/dashboard/browser.ts';
import { aDashboard, type Dashboard } from '../builders/dashboard/dashboard.ts';
import { endedOutputsJob } from '../builders/dashboard/outputs-job.ts';
import { encodingJob, pastJobs, storeJobs } from '../builders/stage/stored-jobs.ts';
import { type SampleJobs, views } from './views.ts';

const mantineStyles = readFileSync(createRequire(import.meta.url).resolve('@mantine/core/styles.css'), 'utf8');

type SampleDashboard = Dashboard & { sampleJobs: SampleJobs };

/** A dashboard with jobs in every state that the views show. The caller stops it. */
export async function aSampleDashboard(): Promise<SampleDashboard> {
  const dashboard = await aDashboard();
  const { running, customer, submit, ended } = dashboard;
  const now = new Date();
  const encoding = encodingJob({ name: 'conference.mp4', now, progress: 42, remainingSeconds: 125 });
  await storeJobs(running.stage, [encoding, ...pastJobs(60, { until: now, everyMinutes: 300 })]);
  await running.api('PUT', '/api/v1/settings', { defaultWebhookUrl: `${customer.origin}/hook` });
  customer.receiver.status = 500;
  const provider = await running.api('POST', '/api/v1/storage-providers', {
    name: 'Archive',
    kind: 's3',
    bucket: 'archive',
    region: 'us-east-1',
    access: { type: 'keys', accessKeyId: 'S3RVER', secretAccessKey: 'secret-of-no-one' },
  });
  await running.api('POST', `${provider.headers.get('location')}/test`);
  const idOf = async (request: Parameters<typeof submit>[0]) => (await ended((await submit(request)).jobId)).jobId;
  const sampleJobs = {
    encoding: encoding.jobId,
    rejected: await idOf({ name: 'missing.mp4' }),
    probed: await idOf({ name: 'film.mp4', recipe: { name: 'probe' }, format: 'json' }),
    completed: await idOf({ name: 'film.mp4' }),
    outputs: (await endedOutputsJob(dashboard, 'film.mp4')).jobId,
  };
  await submit({ name: 'stuck.mp4' });
  return { ...dashboard, sampleJobs };
}

type Finding = { id: string; nodes: { html: string; failureSummary?: string }[] };

/**
 * Violations of WCAG 2.2 AA and of axe's best practices. The target size of WCAG 2.2 is off by default in axe. A name on an
 * element without a role counts too: axe is not sure that screen readers ignore it.
 */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations, incomplete } = (await page.evaluate(
    'axe.run({ resultTypes: ["violations", "incomplete"], rules: { "target-size": { enabled: true } } })',
  )) as { violations: Finding[]; incomplete: Finding[] };
  const prohibited = incomplete.filter(({ id }) => id === 'aria-prohibited-attr');
  return [...violations, ...prohibited].flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
  );
}

/** Classes of rendered Mantine components that Mantine has rules for, but no stylesheet of the page. */
async function unstyledClasses(page: Page): Promise<string[]> {
  const [rendered, rules] = (await page.evaluate(`[
    [...new Set([...document.querySelectorAll('[class*=m_]')].flatMap(({ classList }) => [...classList]))],
    [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)).join(),
  ]`)) as [string[], string];
  return rendered.filter(
    (each) => /^m_[0-9a-f]+$/.test(each) && mantineStyles.includes(`.${each}`) && !rules.includes(`.${each}`),
  );
}

/** The width of the page beyond its window, in pixels. */
export function overflowPixels(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
}

/** Navigates as a link does. A full reload per view would take most of the time. */
export function navigate(page: Page, path: string): Promise<unknown> {
  return page.evaluate(`history.pushState({}, '', '/app${path}')`);
}

/** The views and the sign-in page of a window, each without a violation and without overflow. */
export function describeAccessibility(name: string, options: ViewOptions, dashboard: SampleDashboard): void {
  describe(name, () => {
    let page: Page;
    beforeAll(async () => {
      ({ page } = await dashboard.user('/', options));
    });

    it.each(views)('axe finds no violations in $name, and all of it is styled', async ({ path, ready }) => {
      await navigate(page, path(dashboard.sampleJobs));
      await ready(page);
      expect(await violationsOf(page)).toEqual([]);
      expect(await unstyledClasses(page)).toEqual([]);
      expect(await overflowPixels(page)).toBeLessThanOrEqual(0);
    });

    it('axe finds no violations in the sign-in page', async () => {
      const visitor = await dashboard.visitor('/', options);
      await visitor.page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await violationsOf(visitor.page)).toEqual([]);
    });
  });
}
