import type { PublicRouteApp } from '../../adapters/runtime/http/route.ts';
import type { getEmbedPageContract } from '../../core/api/playback.ts';
import { embedPolicy } from '../../core/playback/embed-page.ts';

export type EmbedPageDeps = { readPage: () => Promise<string>; frameAncestors: string };

/** Answers the player's page. What it plays is behind the hash of its URL, which no server gets. */
export function getEmbedPage({ readPage, frameAncestors }: EmbedPageDeps): PublicRouteApp<typeof getEmbedPageContract> {
  let page: Promise<string> | undefined;
  return async () => {
    page ??= readPage();
    const body = await page;
    return {
      status: 200,
      body,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': embedPolicy(body, frameAncestors),
        'referrer-policy': 'no-referrer',
        'cache-control': 'public, max-age=300',
      },
    };
  };
}
