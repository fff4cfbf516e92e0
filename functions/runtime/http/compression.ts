import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';

type Handler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

// A body that fits into one packet does not arrive sooner when compressed.
const minCompressedBytes = 1024;

/** Compresses the responses of a handler if the caller accepts gzip. Lambda's response limit is 6 MB. */
export function withCompression(handler: Handler): Handler {
  return async (event, context) => {
    const response = await handler(event, context);
    const { headers = {}, body = '' } = response;
    if (body.length < minCompressedBytes || !acceptsGzip(event.headers['accept-encoding'])) return response;
    return {
      ...response,
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: gzipSync(body).toString('base64'),
      isBase64Encoded: true,
    };
  };
}

/** Whether an `Accept-Encoding` header accepts gzip, that is, without `q=0` (RFC 9110 section 12.5.3). */
function acceptsGzip(acceptEncoding = ''): boolean {
  return acceptEncoding.split(',').some((coding) => /^\s*gzip\s*(;\s*q=(1|0?\.\d*[1-9]).*)?$/i.test(coding));
}
