import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type Page, chromium as playwright } from 'playwright-core';

/**
 * A headless browser from npm.
 *
 * @param foreignHost a host name that resolves to this machine
 */
export async function aBrowser({ foreignHost }: { foreignHost?: string } = {}): Promise<Browser> {
  const executablePath = await chromium.executablePath();
  // Not the arguments recommended for Lambda: they disable web security, and with it the page's CSP.
  const rules = foreignHost === undefined ? [] : [`--host-resolver-rules=MAP ${foreignHost} 127.0.0.1`];
  const args = ['--no-sandbox', ...rules];
  return playwright.launch({ executablePath, args, headless: true });
}

export type ViewOptions = { scheme?: 'light' | 'dark'; width?: number };

/** A user of the dashboard, with a browser context of their own. */
export type Visitor = {
  page: Page;
  /** Errors of the page's code, and violations of its Content-Security-Policy. */
  problems: string[];
  context: BrowserContext;
};

/** Opens the dashboard at a path under /app, not signed in. */
export async function aVisitor(
  browser: Browser,
  baseUrl: string,
  { path = '/', look: { scheme = 'light', width = 1280 } = {} }: { path?: string; look?: ViewOptions } = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    viewport: { width, height: width < 500 ? 812 : 800 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  // Pages wait for real encodings.
  context.setDefaultTimeout(120_000);
  const problems: string[] = [];
  context.on('weberror', (error) => problems.push(String(error.error())));
  context.on('console', (message) => {
    if (/content security policy/i.test(message.text())) problems.push(message.text());
  });
  const page = await context.newPage();
  await page.goto(`/app${path}`);
  return { page, problems, context };
}

/** The heading of the list of jobs. */
export function jobsHeading({ page }: Pick<Visitor, 'page'>) {
  return page.getByRole('heading', { name: 'Jobs', exact: true });
}

/** Signs in: one click on the dashboard, one at the local identity provider. */
export async function signIn({ page }: Pick<Visitor, 'page'>): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Continue as Demo User' }).click();
  await page.locator('#page').waitFor();
}

/** The members of a video element that tests use: the project's types have no DOM. */
type VideoElement = { readyState: number; currentTime: number; addEventListener(name: string, then: () => void): void };

/** Resolves once the first video of a page has a frame to show. */
export async function waitForVideoFrame(page: Page): Promise<void> {
  await page
    .locator('video')
    .first()
    .evaluate((video: unknown) => {
      const element = video as VideoElement;
      return new Promise<void>((resolve) => {
        if (element.readyState >= 2) resolve();
        else element.addEventListener('loadeddata', resolve);
      });
    });
}
