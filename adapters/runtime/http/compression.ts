import { gzipSync } from 'node:zlib';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { AppError } from '../../../core/errors.ts';

// A body that fits into one packet does not arrive sooner when compressed.
const minCompressedBytes = 1024;

/** Lambda's quota for the response of a function is 6 MB; the rest is for the status, headers and JSON around the body. */
const maxBodyBytes = 6 * 1024 * 1024 - 64 * 1024;

/**
 * Compresses responses if the caller accepts gzip, or if it does not state that and the response is too large for Lambda.
 * Lambda drops a response that is too large: it becomes a `PAYLOAD_TOO_LARGE`.
 */
export const compression: MiddlewareObj<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2> = {
  after: (request) => {
    const { headers = {}, body = '' } = request.response ?? {};
    const acceptEncoding = request.event.headers['accept-encoding'];
    // RFC 9110 section 12.5.3: without the header, any coding is acceptable.
    const mayCompress =
      acceptEncoding === undefined
        ? isTooLarge(body)
        : acceptsGzip(acceptEncoding) && body.length >= minCompressedBytes;
    if (!mayCompress) {
      if (isTooLarge(body)) throw new AppError('PAYLOAD_TOO_LARGE', sendGzipMessage);
      return;
    }
    const compressed = gzipSync(body).toString('base64');
    if (isTooLarge(compressed)) throw new AppError('PAYLOAD_TOO_LARGE', copyFilesMessage);
    request.response = {
      ...request.response,
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: compressed,
      isBase64Encoded: true,
    };
  },
};

/** In the response of a function the body is a JSON string, where a quote or a line break takes two bytes, and a character six at most. */
const isTooLarge = (text: string) =>
  text.length > maxBodyBytes / 6 && Buffer.byteLength(JSON.stringify(text)) > maxBodyBytes;

const sendGzipMessage = 'This playlist is larger than an uncompressed response can be; send "Accept-Encoding: gzip".';
const copyFilesMessage =
  'This playlist is larger than a response can be; choose longer segments, or serve copies of the files.';

/** Whether an `Accept-Encoding` header accepts gzip, that is, without `q=0` (RFC 9110 section 12.5.3). */
function acceptsGzip(acceptEncoding: string): boolean {
  return acceptEncoding.split(',').some((coding) => /^\s*gzip\s*(;\s*q=(1|0?\.\d*[1-9]).*)?$/i.test(coding));
}
