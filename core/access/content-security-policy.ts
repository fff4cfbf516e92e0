/** Where the dashboard's page may send requests to and load media from, beyond its own origin. */
export type PageSources = {
  /** Origins of the identity provider: of its discovery document and of its token endpoint. */
  identity: readonly string[];
  /** Origin of the media bucket's signed URLs, for previews and uploads. */
  media: string;
  /** Schemes of the inputs that a page may show beside their results: any host, for pictures and films only. */
  inputSchemes: readonly ('https:' | 'http:')[];
};

/**
 * The Content-Security-Policy of the dashboard, the same wherever it is served. Scripts come from its own origin alone;
 * styles may be inline, since the component library writes style elements.
 */
export function contentSecurityPolicy({ identity, media, inputSchemes }: PageSources): string {
  const shown = ["'self'", 'blob:', media, ...inputSchemes];
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': shown,
    'media-src': shown,
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
