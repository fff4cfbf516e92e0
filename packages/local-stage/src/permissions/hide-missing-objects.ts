import type { ServerResponse } from 'node:http';
import type { AccessRequest, Denial } from './access-request.ts';

/**
 * Replaces the emulator's 404 with 403 if the caller may not list the bucket, as S3 does for a missing key (API
 * Reference, GetObject, "Permissions").
 */
export function hideMissingObjects(
  requests: readonly AccessRequest[],
  response: ServerResponse,
  checkListing: (request: AccessRequest) => Denial | undefined,
): void {
  const [first] = requests;
  if (first?.action !== 's3:GetObject') return;
  const [bucketArn = ''] = first.resourceArn.split('/');
  const end = response.end.bind(response) as (...answer: unknown[]) => ServerResponse;
  response.end = (...answer: unknown[]) => {
    if (response.statusCode !== 404 || response.headersSent) return end(...answer);
    if (checkListing({ action: 's3:ListBucket', resourceArn: bucketArn }) === undefined) return end(...answer);
    const body = '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
    response.removeHeader('content-length');
    response.writeHead(403, { 'content-type': 'application/xml' });
    return end(body);
  };
}
