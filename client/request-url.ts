type Parts = {
  params?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
};

/** The URL of a request; a record in its query becomes one parameter for each pair, `metadata.<key>=<value>`. */
export function requestUrl(baseUrl: string, path: string, { params = {}, query = {} }: Parts): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value !== 'object' || value === null) search.set(name, String(value));
    else for (const [key, pair] of Object.entries(value)) search.set(`${name}.${key}`, String(pair));
  }
  return baseUrl.replace(/\/$/, '') + filled + (search.size === 0 ? '' : `?${search}`);
}
