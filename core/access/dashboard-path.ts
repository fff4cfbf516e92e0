/**
 * The file that a path under /app stands for: a name with a dot is a file of the build, anything else is a page of the
 * application, which its one document shows. Other paths stay. CloudFront runs the text of this function too, so it
 * stands alone.
 */
export function dashboardFile(path: string): string {
  if (path !== '/app' && !path.startsWith('/app/')) return path;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.includes('.') ? path : '/app/index.html';
}
