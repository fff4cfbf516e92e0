import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export const issuer = 'https://id.example';
export const audience = 'https://api.example';

type Claims = Record<string, unknown>;
type Header = Record<string, unknown>;

export type TokenIssuer = {
  /** The provider's public keys (JWKS). */
  jwks: { keys: object[] };
  publicKey: KeyObject;
  /** A token of the user `ada`, valid for an hour; the arguments override claims and header. */
  token(claims?: Claims, header?: Header): string;
};

/** Signs tokens like an identity provider, with a key of its own. */
export function aTokenIssuer(keyId = 'key-1'): TokenIssuer {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' };
  return {
    jwks: { keys: [jwk] },
    publicKey,
    token: (claims = {}, header = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const payload = { iss: issuer, aud: audience, sub: 'ada', iat: now, exp: now + 3_600, ...claims };
      const signed = `${base64UrlJson({ alg: 'RS256', typ: 'at+jwt', kid: keyId, ...header })}.${base64UrlJson(payload)}`;
      return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`;
    },
  };
}

export function base64UrlJson(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
