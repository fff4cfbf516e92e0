import type { ServerResponse } from 'node:http';
import type { Service } from '../emulators/traffic.ts';

/** The error of a rejected request: `AccessDenied`, or unknown credentials. */
export type AccessError = { code: 'AccessDenied' | 'InvalidAccessKeyId' | 'InvalidToken'; message: string };

const invalidCredentials = 'UnrecognizedClientException';

/** Sends the error in the format of the service: XML for S3, the AWS JSON protocol for the others. */
export function sendAccessError(service: Service, response: ServerResponse, error: AccessError): void {
  if (service === 's3') {
    response.writeHead(error.code === 'InvalidToken' ? 400 : 403, { 'content-type': 'application/xml' });
    response.end(`<Error><Code>${error.code}</Code><Message>${escapeXml(error.message)}</Message></Error>`);
    return;
  }
  if (service === 'sts') {
    const xml = `<ErrorResponse><Error><Type>Sender</Type><Code>${error.code}</Code><Message>${escapeXml(error.message)}</Message></Error></ErrorResponse>`;
    response.writeHead(403, { 'content-type': 'text/xml' }).end(xml);
    return;
  }
  const isDenied = error.code === 'AccessDenied';
  const type = isDenied ? 'AccessDeniedException' : invalidCredentials;
  // SQS also sends the status and the error code of its older query protocol.
  const isSqs = service === 'sqs' && isDenied;
  response.writeHead(isSqs ? 403 : 400, {
    'content-type': 'application/x-amz-json-1.0',
    ...(isSqs ? { 'x-amzn-query-error': 'AccessDenied;Sender' } : {}),
  });
  response.end(JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message: error.message }));
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
