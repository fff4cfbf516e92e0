import { aWebServer } from '@media-jobs/testing/web-server';
import type { Browser, Page } from 'playwright-core';
import type { PlayerScript } from './controls.ts';

/** A page that plays a stream. */
export type PlayerPage = {
  page: Page;
  /** Evaluates an expression, in which `video` and `control` are those of the page. */
  evaluate<T>(expression: string): Promise<T>;
  /** The names of the media files that the page has requested since the last call, without repetitions. */
  newFiles(): string[];
  close(): Promise<void>;
};

/** Where an encrypted stream of the tests has its key. */
export const keyUri = 'https://keys.example/film';

/**
 * Opens a page with a player at the URL of a stream. `contentKey` is what `keyUri` answers. The page has an origin of its own,
 * on this machine: the browser asks before another one may reach it.
 */
export async function aPlayerPage(
  browser: Browser,
  { player, url, contentKey }: { player: PlayerScript; url: string; contentKey?: Buffer },
): Promise<PlayerPage> {
  const page = await browser.newPage();
  let files = new Set<string>();
  page.on('request', (request) => {
    const [name] = /(?<=\/)[\w-]+\.(mp4|vtt)(?=\?|$)/.exec(request.url()) ?? [];
    if (name !== undefined) files.add(name);
  });
  await page.route(`${keyUri}*`, (route) =>
    route.fulfill({ body: contentKey ?? '', headers: { 'access-control-allow-origin': '*' } }),
  );
  const site = await aWebServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><video muted></video>'),
  );
  await page.goto(site.origin);
  await page.addScriptTag({ content: player.library });
  const video = "const video = document.querySelector('video');";
  await page.evaluate(`(() => { ${video} const url = ${JSON.stringify(url)}; ${player.start} })()`);
  return {
    page,
    evaluate: (expression) => page.evaluate(`(() => { ${video} return ${expression}; })()`),
    newFiles() {
      const found = [...files];
      files = new Set();
      return found;
    },
    close: () => page.close().finally(site.close),
  };
}
