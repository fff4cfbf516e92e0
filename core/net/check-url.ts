import { maxUrlCharacters } from '@media-jobs/video/recipes';
import { AppError } from '../errors.ts';
import { ipAddressInHost, loopbackAddresses, mayReach, type ReachableAddress } from './ip-address.ts';

export type UrlScheme = 'http' | 'https';

export type UrlRules = {
  schemes: readonly UrlScheme[];
  reachable: readonly ReachableAddress[];
  /** Default: `maxUrlCharacters`, those of a URL in a request. */
  maxCharacters?: number;
};

/** The parsed URL, or the reason why it is rejected: a sentence that does not contain the URL. */
export type UrlCheck = { url: URL; rejection?: undefined } | { url?: undefined; rejection: string };

/**
 * Checks the text of a URL without DNS: scheme, host, port, user info, and characters that parsers drop or read
 * differently. Rejects the ports that `fetch` blocks. A host name may still resolve to a forbidden address, so the
 * connection checks each address again.
 */
export function checkUrl(text: string, rules: UrlRules): UrlCheck {
  const rejection = findTextRejection(text, rules);
  if (rejection !== undefined) return { rejection };
  const url = URL.parse(text);
  if (url === null) return { rejection: 'The URL is not valid: check its host and port' };
  const hostRejection = findHostRejection(url, rules.reachable);
  return hostRejection === undefined ? { url } : { rejection: hostRejection };
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** Whether a host name is `localhost` or below it (RFC 6761), with or without the final dot. */
export function isLocalhost(hostname: string): boolean {
  return /^(.+\.)?localhost\.?$/.test(hostname);
}

/** The reason to reject the text of a URL, whatever its host. */
export function findTextRejection(
  text: string,
  { schemes, maxCharacters = maxUrlCharacters }: Omit<UrlRules, 'reachable'>,
): string | undefined {
  if (text.length > maxCharacters) return `The URL is longer than ${maxCharacters} characters`;
  // `new URL` removes tabs and newlines, trims, and turns a backslash into a slash: the URL checked would differ from
  // the text.
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

function findHostRejection(url: URL, reachable: readonly ReachableAddress[]): string | undefined {
  const port = portOf(url);
  if (blockedPorts.has(port)) return `The URL's port ${port} is blocked: it belongs to another protocol`;
  const literal = ipAddressInHost(url.hostname);
  if (literal !== undefined && !mayReach({ address: literal, port }, reachable)) {
    return `The URL's host is the address ${literal.text}, which is not public`;
  }
  if (isLocalhost(url.hostname) && !loopbackAddresses.some((address) => mayReach({ address, port }, reachable))) {
    return "The URL's host is localhost, which is not public";
  }
  return undefined;
}

/** Throws AppError INVALID_URL, with the path and the reason, if the text of a URL is not allowed. */
export function assertAllowedUrl(text: string, path: string, rules: UrlRules): void {
  rejectUrl(path, checkUrl(text, rules).rejection);
}

/** Throws AppError INVALID_URL, with the path and the reason, if there is one. */
export function rejectUrl(path: string, rejection: string | undefined): void {
  if (rejection === undefined) return;
  throw new AppError('INVALID_URL', `${path}: ${rejection}`, { details: [{ path, message: rejection }] });
}

/**
 * Ports of protocols that could interpret an HTTP request as commands (mail, IRC, printers): the "bad ports" of
 * https://fetch.spec.whatwg.org/#port-blocking.
 */
export const blockedPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);
