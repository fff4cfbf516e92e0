import type { IncomingMessage } from 'node:http';

/** The access key id and session token of a signed request: in its headers, or in the query of a presigned URL. */
export function presentedCredentials({ headers, url = '/' }: IncomingMessage): {
  accessKeyId: string | undefined;
  sessionToken: string | undefined;
} {
  if (headers.authorization !== undefined) {
    const [, accessKeyId] = /Credential=([^/,\s]+)/.exec(headers.authorization) ?? [];
    return { accessKeyId, sessionToken: headers['x-amz-security-token']?.toString() };
  }
  if (!url.includes('X-Amz-Credential')) return { accessKeyId: undefined, sessionToken: undefined };
  const { searchParams } = new URL(url, 'http://s3');
  return {
    accessKeyId: searchParams.get('X-Amz-Credential')?.split('/')[0],
    sessionToken: searchParams.get('X-Amz-Security-Token') ?? undefined,
  };
}
