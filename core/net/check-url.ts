import { blockedPorts } from './blocked-ports.ts';
import { ipAddressInHost } from './ip-address.ts';
import { loopbackAddresses, mayReach, type ReachableAddress } from './reachable-address.ts';

export type UrlScheme = 'http' | 'https';

export type UrlRules = { schemes: readonly UrlScheme[]; reachable: readonly ReachableAddress[] };

/** The URL in its canonical form, or why it is refused: a sentence that never repeats the URL. */
export type UrlCheck = { url: URL; rejection?: undefined } | { url?: undefined; rejection: string };

export const maxUrlCharacters = 2_048;

/**
 * Judges a URL by its text alone, before any look-up: scheme, host, port, user info, and characters that parsers
 * drop or read differently. A name that it lets pass may still lead to a forbidden address: whoever connects judges
 * that again. Any port may be used but those that `fetch` blocks.
 */
export function checkUrl(text: string, rules: UrlRules): UrlCheck {
  const rejection = refusalOfText(text, rules.schemes);
  if (rejection !== undefined) return { rejection };
  const url = URL.parse(text);
  if (url === null) return { rejection: 'The URL is not valid: check its host and port' };
  const hostRefusal = refusalOfHost(url, rules.reachable);
  return hostRefusal === undefined ? { url } : { rejection: hostRefusal };
}

/** The port that a connection for this URL goes to. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** Whether a URL's host is a name that means this very machine (RFC 6761), with or without the final dot. */
export function isLocalhost(hostname: string): boolean {
  return /^(.+\.)?localhost\.?$/.test(hostname);
}

function refusalOfText(text: string, schemes: readonly UrlScheme[]): string | undefined {
  if (text.length > maxUrlCharacters) return `The URL is longer than ${maxUrlCharacters} characters`;
  // `new URL` deletes tabs and newlines, trims, and turns a backslash into a slash: what is judged would not be
  // what was written.
  if (!/^[^\p{Cc}\p{Cs}\s\\]*$/u.test(text)) {
    return 'The URL must not contain spaces, control characters or backslashes: percent-encode them';
  }
  const [, scheme = '', authority] = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]*))?/i.exec(text) ?? [];
  if (!schemes.some((allowed) => allowed === scheme.toLowerCase())) {
    return `The URL must start with ${schemes.map((allowed) => `${allowed}://`).join(' or ')}`;
  }
  if (authority === undefined || authority === '') return 'The URL has no host after its scheme';
  if (authority.includes('@')) return 'The URL must not contain a user name or password';
  return undefined;
}

function refusalOfHost(url: URL, reachable: readonly ReachableAddress[]): string | undefined {
  const port = portOf(url);
  if (blockedPorts.has(port)) return `The URL's port ${port} is blocked: it belongs to another protocol`;
  const literal = ipAddressInHost(url.hostname);
  if (literal !== undefined && !mayReach({ address: literal, port }, reachable)) {
    return `The URL's host is the address ${literal.text}, which is not public`;
  }
  if (
    isLocalhost(url.hostname) &&
    !loopbackAddresses.some((address) => mayReach({ address, port }, reachable))
  ) {
    return "The URL's host is localhost, which is not public";
  }
  return undefined;
}
