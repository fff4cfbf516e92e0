import { createHash } from 'node:crypto';

/** The player's page, beside the bundle of the function that serves it. */
export const embedPageFile = 'embed.html';

/** The sources of `frame-ancestors` in a Content-Security-Policy, such as `https://example.com https://*.example.org`. */
export const frameAncestorsPattern = /^[^\s;,]+( [^\s;,]+)*$/;

/**
 * The Content-Security-Policy of the player's page: no script but its own, and media of any host, since the API redirects to the
 * storage and an encrypted stream names its own key.
 */
export function embedPolicy(page: string, frameAncestors: string): string {
  const hashOf = (element: RegExp) => {
    const [, content = ''] = element.exec(page) ?? [];
    return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
  };
  return [
    "default-src 'none'",
    `script-src ${hashOf(/<script>(.*)<\/script>/s)}`,
    `style-src ${hashOf(/<style>(.*)<\/style>/s)}`,
    'connect-src *',
    'media-src * blob:',
    'img-src *',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');
}
