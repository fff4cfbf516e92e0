import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';

/** Status 0 closes the connection without a response. */
type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

/** A server with prepared answers by method and path; the last answer of a list repeats, and other paths are 404. */
export function aStubApi(answers: Record<string, Answer | readonly Answer[]>): Promise<WebServer> {
  return aWebServer(({ method, path }, response, before) => {
    const found = answers[`${method} ${path.split('?')[0]}`] ?? { status: 404 };
    const earlier = before.filter((request) => request.method === method).length;
    const all = [found].flat();
    const { status, body, headers = {} } = all[Math.min(earlier, all.length - 1)] as Answer;
    if (status === 0) {
      response.destroy();
      return;
    }
    response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
