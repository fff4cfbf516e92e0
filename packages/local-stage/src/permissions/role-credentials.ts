import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Credentials as Lambda gives them to a function: temporary, with a session token. */
export type RoleCredentials = { accessKeyId: string; secretAccessKey: string; sessionToken: string };

/** Tokens of AWS have 1 to 2 KB and no documented limit: shorter ones would not test long presigned URLs. */
const sessionTokenLength = 1200;

/** New in each process: a page on the web can reach the emulators, and must not be able to compute credentials. */
const secret = randomBytes(32);

/** Derives a role's credentials from its ARN, the same each time in this process. */
export function roleCredentials(roleArn: string): RoleCredentials {
  const digest = (field: string) => createHmac('sha512', secret).update(`${field} ${roleArn}`).digest('base64url');
  const token = digest('token').repeat(Math.ceil(sessionTokenLength / 86));
  return {
    accessKeyId: `ASIA${digest('id')
      .toUpperCase()
      .replaceAll(/[^A-Z2-7]/g, '')
      .slice(0, 16)}`,
    secretAccessKey: digest('secret').slice(0, 40),
    sessionToken: token.slice(0, sessionTokenLength),
  };
}

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
