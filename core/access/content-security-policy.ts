/**
 * Headers of every response of the API, so that a browser that opens one executes nothing and guesses no type: a file
 * name, metadata or a playlist in it was written by a client.
 */
export const apiSecurityHeaders = {
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
} as const;

/** The origins that the dashboard may use besides its own. */
export type PageSources = {
  /** Origins of the identity provider's discovery document and token endpoint. */
  identity: readonly string[];
  /** Origin of the media bucket's signed URLs, for previews and uploads. */
  media: string;
  /** Schemes of inputs that a page shows next to their results: any host, for images and videos only. */
  inputSchemes: readonly ('https:' | 'http:')[];
};

/**
 * The Content-Security-Policy of the dashboard on every host. Scripts come from its own origin only. Inline styles are
 * allowed because the component library writes style elements.
 */
export function contentSecurityPolicy({ identity, media, inputSchemes }: PageSources): string {
  const mediaSources = ["'self'", 'blob:', media, ...inputSchemes];
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': mediaSources,
    'media-src': mediaSources,
    'connect-src': ["'self'", ...identity, media],
    'font-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...new Set(sources)].join(' '))
    .join('; ');
}
