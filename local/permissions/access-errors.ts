import type { ServerResponse } from 'node:http';
import type { Service } from '../emulators/traffic.ts';

/** An answer that refuses a request: `AccessDenied`, or credentials that nobody was given. */
export type AccessError = { code: 'AccessDenied' | 'InvalidAccessKeyId' | 'InvalidToken'; message: string };

const invalidCredentials = 'UnrecognizedClientException';

/** Answers as the service does: S3 in XML, the others in the AWS JSON protocol. */
export function sendAccessError(service: Service, response: ServerResponse, error: AccessError): void {
  if (service === 's3') {
    response.writeHead(error.code === 'InvalidToken' ? 400 : 403, { 'content-type': 'application/xml' });
    response.end(`<Error><Code>${error.code}</Code><Message>${escapeXml(error.message)}</Message></Error>`);
    return;
  }
  const isDenied = error.code === 'AccessDenied';
  const type = isDenied ? 'AccessDeniedException' : invalidCredentials;
  // SQS speaks JSON but keeps the status and the code of its older protocol beside it.
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
