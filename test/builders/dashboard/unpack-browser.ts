import chromium from '@sparticuz/chromium';

/** Unpacks the browser once, before the first test: test files that do it at the same time run an incomplete program. */
export async function setup(): Promise<void> {
  await chromium.executablePath();
}
