// @module-tag requests
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { localAudience, localIssuer } from '@media-jobs/local-stage/identity';
import { aWebServer, type WebServer } from '@media-jobs/video/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenIssuer, base64UrlJson } from '../builders/http/session-tokens.ts';
import { aClosedStage, type ClosedStage } from './closed-stage.ts';
import type { RawRequest } from './raw-request.ts';
import { expectRejection, unauthorized } from './rejection.ts';

const notValid = 'The session token is not valid: sign in again.';
const noKey = 'The API key is not valid: it may be truncated or altered.';
const claims = { iss: localIssuer, aud: localAudience, sub: 'alice' };
const seconds = () => Math.floor(Date.now() / 1000);

let world: ClosedStage;
let attacker: WebServer;
beforeAll(async () => {
  world = await aClosedStage();
  attacker = await aWebServer((_, response) => response.end(JSON.stringify(forger.jwks)));
});
afterAll(async () => {
  await world?.stop();
  await attacker?.close();
});

/** The attacker's own provider. Its key has the key id of the real one. */
const forger = aTokenIssuer();
const good = (more: object = {}, header: object = {}) =>
  world.provider.token({ ...claims, ...more }, { ...header });
const payloadOf = (token: string) => token.split('.')[1];
const unsigned = () => `${base64UrlJson({ alg: 'none', kid: 'key-1' })}.${payloadOf(good())}`;

/** Signs with the public key as an HMAC secret (algorithm confusion). */
function signedWithPublicKey(type: 'spki' | 'pkcs1'): string {
  const content = `${base64UrlJson({ alg: 'HS256', typ: 'at+jwt', kid: 'key-1' })}.${payloadOf(good())}`;
  const secret = world.provider.publicKey.export({ type, format: 'pem' });
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

/** Has the key that signed it in its `jwk` header. */
function withOwnKey(): string {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const header = { alg: 'RS256', kid: 'key-1', jwk: publicKey.export({ format: 'jwk' }) };
  const content = `${base64UrlJson(header)}.${payloadOf(good())}`;
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), privateKey).toString('base64url')}`;
}

/** The claims of another user with the signature of a valid token. */
function altered(): string {
  const [header, , signature] = good({ sub: 'bob' }).split('.');
  return `${header}.${payloadOf(good())}.${signature}`;
}

const rejected: [name: string, token: () => string, message: string][] = [
  ['of no algorithm, unsigned', () => `${unsigned()}.`, noKey],
  ['of no algorithm, with a signature of nonsense', () => `${unsigned()}.AA`, notValid],
  ['signed by HS256 with the public key', () => signedWithPublicKey('spki'), notValid],
  ['signed by HS256 with the public key in its older form', () => signedWithPublicKey('pkcs1'), notValid],
  ['for another audience', () => good({ aud: 'https://other.example' }), notValid],
  ['for an audience that begins as ours', () => good({ aud: `${localAudience}.evil.example` }), notValid],
  ['for no audience', () => good({ aud: undefined }), notValid],
  ['of another issuer', () => good({ iss: 'https://evil.example' }), notValid],
  ['of the issuer with a slash', () => good({ iss: `${localIssuer}/` }), notValid],
  ['that expired 61 seconds ago', () => good({ exp: seconds() - 61 }), notValid],
  ['that never expires', () => good({ exp: undefined }), notValid],
  ['that is valid from tomorrow on', () => good({ nbf: seconds() + 86_400 }), notValid],
  ['of nobody', () => good({ sub: undefined }), 'The session token names no user.'],
  ['of nobody, by an empty name', () => good({ sub: '' }), 'The session token names no user.'],
  ["signed by an attacker's key of the same id", () => forger.token(claims), notValid],
  ['that brings its own key', withOwnKey, notValid],
  ['that says where its key is', () => forger.token(claims, { jku: `${attacker.origin}/jwks` }), notValid],
  ['without a key id', () => good({}, { kid: undefined }), notValid],
  ['whose key id is a path', () => good({}, { kid: '../../../../dev/null' }), notValid],
  ['whose claims were changed', altered, notValid],
  ['of nonsense', () => 'aaaa.bbbb.cccc', notValid],
  ['of five parts, as an encrypted one', () => `${good()}.AA.AA`, noKey],
];

const send = (request: RawRequest) => world.raw({ target: '/api/v1/settings', ...request });
const asBearer = (token: string): RawRequest => ({ headers: [['Authorization', `Bearer ${token}`]] });

describe('a session token', () => {
  it('is accepted if it is valid', async () => {
    expect(await send(asBearer(good()))).toMatchObject({ status: 200 });
  });

  it.each(rejected)('%s is rejected', async (_, token, message) => {
    expectRejection(await send(asBearer(token())), unauthorized(message));
    expect(attacker.requests).toEqual([]);
  });

  it.each<[string, () => RawRequest, string]>([
    ['in the header of keys', () => ({ headers: [['X-API-KEY', good()]] }), noKey],
    [
      'in both headers',
      () => ({ headers: [...(asBearer(good()).headers ?? []), ['X-API-KEY', good()]] }),
      noKey,
    ],
    [
      'in the query',
      () => ({ target: `/api/v1/settings?access_token=${good()}` }),
      'Send one API key, as Authorization: Bearer or as X-API-KEY.',
    ],
    ['twice', () => ({ headers: [1, 2].map(() => ['Authorization', `Bearer ${good()}`] as const) }), noKey],
  ])('%s is rejected', async (_, request, message) => {
    expectRejection(await send(request()), unauthorized(message));
  });
});

describe('a series of unknown key ids', () => {
  it('does not cause a series of key fetches and locks no user out', async () => {
    const before = { fetches: world.keyFetches(), at: Date.now() };
    for (let n = 0; n < 50; n += 1) {
      expectRejection(await send(asBearer(good({}, { kid: `unknown-${n}` }))), unauthorized(notValid));
    }
    // One fetch at most in ten seconds, by the one sandbox that serves one request after the other.
    const spells = Math.floor((Date.now() - before.at) / 10_000) + 1;
    expect(world.keyFetches() - before.fetches).toBeLessThanOrEqual(spells);
    expect(await send(asBearer(good()))).toMatchObject({ status: 200 });
  });
});
