import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type Page, chromium as playwright } from 'playwright-core';

/** A headless browser that npm brought along. */
export async function aBrowser(): Promise<Browser> {
  const executablePath = await chromium.executablePath();
  // Not the arguments it recommends for Lambda: those switch off what the security policy of a page rests on.
  return playwright.launch({ executablePath, args: ['--no-sandbox'], headless: true });
}

export type ViewOptions = { scheme?: 'light' | 'dark'; width?: number };

/** Someone in front of the dashboard, with a browser window of their own. */
export type Visitor = {
  page: Page;
  /** Errors of the page's own code, and whatever its security policy has forbidden. */
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
  const problems: string[] = [];
  context.on('weberror', (error) => problems.push(String(error.error())));
  context.on('console', (message) => {
    if (/content security policy/i.test(message.text())) problems.push(message.text());
  });
  const page = await context.newPage();
  await page.goto(`/app${path}`);
  return { page, problems, context };
}

/** The one click at the dashboard, and the one at the local identity provider. */
export async function signIn({ page }: Pick<Visitor, 'page'>): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Continue as Demo User' }).click();
  await page.locator('#page').waitFor();
}

/** What of a video element the tests look at; the project's types know no browser. */
type Film = {
  readyState: number;
  currentTime: number;
  addEventListener(name: string, then: () => void): void;
};

/** Resolves once the first video of a page has a frame to show. */
export async function waitForVideoFrame(page: Page): Promise<void> {
  await page
    .locator('video')
    .first()
    .evaluate((video: unknown) => {
      const film = video as Film;
      return new Promise<void>((resolve) => {
        if (film.readyState >= 2) resolve();
        else film.addEventListener('loadeddata', resolve);
      });
    });
}
