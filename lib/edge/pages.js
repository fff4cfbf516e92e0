// A CloudFront Function (runtime 2.0) for all requests outside the API: redirects / to the dashboard, and serves its single
// document for every page. Custom error responses cannot do this: they would also replace the API's errors. The local stage
// calls pageFile, too.

function handler(event) {
  const request = event.request;
  if (request.uri === '/' && (request.method === 'GET' || request.method === 'HEAD')) {
    return { statusCode: 302, statusDescription: 'Found', headers: { location: { value: '/app' } } };
  }
  request.uri = pageFile(request.uri);
  return request;
}

/** The file of a path under /app. A last segment with a dot is a file name. The documentation has a file for each page. */
function pageFile(path) {
  if (path !== '/app' && !path.startsWith('/app/')) return path;
  if (path.slice(path.lastIndexOf('/')).includes('.')) return path;
  if (/^\/app\/docs\/?$/.test(path)) return '/app/docs/index.html';
  return path.startsWith('/app/docs/') ? path + '.html' : '/app/index.html';
}
