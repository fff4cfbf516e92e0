import { dashboardFile } from '../core/access/dashboard-path.ts';

/**
 * The code that CloudFront runs for each request but the API's: a page of the application is served by its one
 * document, and who comes without a path is led to the first. Error responses could serve pages too, but they would
 * turn the API's own errors into them.
 */
export function dashboardFunctionCode(): string {
  return `${dashboardFile}
function handler(event) {
  const request = event.request;
  if (request.uri === '/' && (request.method === 'GET' || request.method === 'HEAD')) {
    return { statusCode: 302, statusDescription: 'Found', headers: { location: { value: '/app' } } };
  }
  request.uri = dashboardFile(request.uri);
  return request;
}
`;
}
