import { dashboardFile } from '../core/access/dashboard-path.ts';

/**
 * The code that CloudFront runs for each request under /app: a page of the application is served by its one document.
 * Error responses could do so too, but they would turn the API's own errors into pages.
 */
export function dashboardFunctionCode(): string {
  return `${dashboardFile}
function handler(event) {
  event.request.uri = dashboardFile(event.request.uri);
  return event.request;
}
`;
}
