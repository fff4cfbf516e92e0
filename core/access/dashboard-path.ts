/**
 * Maps a path under /app to a file of the build. A last segment with a dot is a file name; any other path is a page of
 * the application and maps to index.html. Paths outside /app stay as they are. CloudFront runs the source text of this
 * function, so it must not reference anything else.
 */
export function dashboardFile(path: string): string {
  if (path !== '/app' && !path.startsWith('/app/')) return path;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.includes('.') ? path : '/app/index.html';
}
