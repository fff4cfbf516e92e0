import { createHash } from 'node:crypto';

/** Credentials as Lambda gives them to a function: temporary, with a session token. */
export type RoleCredentials = { accessKeyId: string; secretAccessKey: string; sessionToken: string };

/** Tokens of AWS have 1 to 2 KB and no documented limit: shorter ones would not test long presigned URLs. */
const sessionTokenLength = 1200;

/** Derives a role's credentials from its ARN, so that URLs signed before a restart stay valid. */
export function roleCredentials(roleArn: string): RoleCredentials {
  const digest = (field: string) => createHash('sha512').update(`${field} ${roleArn}`).digest('base64url');
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
