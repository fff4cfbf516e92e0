import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';

type Handler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

// What fits into a packet arrives no sooner.
const leastToCompress = 1024;

/** The same handler, whose answers are compressed for callers that take it: Lambda answers 6 MB at most. */
export function withCompression(handler: Handler): Handler {
  return async (event, context) => {
    const answer = await handler(event, context);
    const { headers = {}, body = '' } = answer;
    if (body.length < leastToCompress || !acceptsGzip(event.headers['accept-encoding'])) return answer;
    return {
      ...answer,
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: gzipSync(body).toString('base64'),
      isBase64Encoded: true,
    };
  };
}

/** Whether an `Accept-Encoding` header names gzip, and not to refuse it (RFC 9110 section 12.5.3). */
function acceptsGzip(acceptEncoding = ''): boolean {
  return acceptEncoding.split(',').some((one) => /^\s*gzip\s*(;\s*q=(1|0?\.\d*[1-9]).*)?$/i.test(one));
}
