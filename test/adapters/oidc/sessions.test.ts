import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { FetchError } from 'aws-jwt-verify/error';
import { describe, expect, it } from 'vitest';
import { oidcSessions } from '../../../adapters/oidc/sessions.ts';
import type { SessionSettings } from '../../../core/access/authentication.ts';
import { ownerIdFromClaims } from '../../../core/access/owner.ts';
import { aTokenIssuer, audience, base64UrlJson, issuer } from '../../builders/http/session-tokens.ts';

const provider = aTokenIssuer();
const settings: SessionSettings = {
  issuer,
  audience,
  audienceClaim: 'aud',
  jwksUri: `${issuer}/jwks`,
  tenancy: 'multi',
};
const salt = async () => 'of the stage';
const ada = {
  ownerId: ownerIdFromClaims({ issuer, subject: 'ada', organisation: undefined }, 'of the stage'),
  subject: 'ada',
};
const bytes = (document: object): ArrayBuffer =>
  new TextEncoder().encode(JSON.stringify(document)).buffer as ArrayBuffer;

/** A session verifier, and the URLs that it fetched. */
function sessions(more: Partial<SessionSettings> = {}, documents: Record<string, object> = {}) {
  const fetched: string[] = [];
  const known: Record<string, object> = { [`${issuer}/jwks`]: provider.jwks, ...documents };
  const verify = oidcSessions({ ...settings, ...more }, salt, async (uri) => {
    fetched.push(uri);
    const document = known[uri];
    if (document === undefined) throw new Error(`nothing at ${uri}`);
    return bytes(document);
  });
  return { verify, fetched };
}

const now = () => Math.floor(Date.now() / 1000);

describe('a session token', () => {
  it('identifies its user as the owner', () => expect(sessions().verify(provider.token())).resolves.toEqual(ada));

  it('identifies the same owner whatever its e-mail claim', async () => {
    await expect(sessions().verify(provider.token({ email: 'eve@example.com' }))).resolves.toEqual(ada);
  });

  it('identifies its organisation as the owner, if the stage configures the claim', async () => {
    const { verify } = sessions({ organisationClaim: 'org_id' });
    const [first, second] = await Promise.all(
      ['ada', 'bob'].map((sub) => verify(provider.token({ sub, org_id: 'acme' }))),
    );
    expect(first?.ownerId).toEqual(second?.ownerId);
    expect(first).not.toEqual(ada);
    await expect(verify(provider.token())).resolves.toEqual(ada);
  });

  it('is of the one owner of a stage of one team, whoever signed in', async () => {
    const { verify } = sessions({ tenancy: 'single' });
    for (const sub of ['ada', 'bob']) {
      await expect(verify(provider.token({ sub }))).resolves.toEqual({ ownerId: 'stage', subject: sub });
    }
    await expect(verify(provider.token({ sub: undefined }))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('is rejected by a stage of one team unless it is of its organisation', async () => {
    const { verify } = sessions({ tenancy: 'single', organisationClaim: 'org_id', organisation: 'acme' });
    await expect(verify(provider.token({ org_id: 'acme' }))).resolves.toEqual({ ownerId: 'stage', subject: 'ada' });
    for (const org_id of [undefined, '', 'other', ['acme'], ['acme', 'other']]) {
      await expect(verify(provider.token({ org_id }))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    }
  });

  it('tolerates a clock skew of one minute', async () => {
    const { verify } = sessions();
    await expect(verify(provider.token({ exp: now() - 50 }))).resolves.toEqual(ada);
    await expect(verify(provider.token({ nbf: now() + 50 }))).resolves.toEqual(ada);
  });

  it('may contain its audience in client_id, if the stage configures it', async () => {
    const { verify } = sessions({ audienceClaim: 'client_id' });
    await expect(verify(provider.token({ aud: undefined, client_id: audience }))).resolves.toEqual(ada);
    await expect(verify(provider.token())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it.each<[string, () => string]>([
    ['of another audience', () => provider.token({ aud: 'https://other.example' })],
    ['of an audience that begins as ours', () => provider.token({ aud: `${audience}.evil.example` })],
    ['of no audience', () => provider.token({ aud: undefined })],
    ['of another issuer', () => provider.token({ iss: 'https://id.example/' })],
    ['that has expired', () => provider.token({ exp: now() - 62 })],
    ['that never expires', () => provider.token({ exp: undefined })],
    ['that is not valid yet', () => provider.token({ nbf: now() + 62 })],
    ['of nobody', () => provider.token({ sub: undefined })],
    ['of nobody, by an empty name', () => provider.token({ sub: '' })],
    ['signed by another key of the same id', () => aTokenIssuer().token()],
    ['of an unknown key', () => aTokenIssuer('key-2').token()],
    ['without a key id', () => provider.token({}, { kid: undefined })],
    ['whose key id is a path', () => provider.token({}, { kid: '../../../../dev/null' })],
    ['that brings its own key', withOwnKey],
    ['that says where its key is', () => aTokenIssuer().token({}, { jku: 'https://evil.example/jwks' })],
    ['whose claims were changed', () => changed(provider.token())],
    [
      'without a signature',
      () => `${base64UrlJson({ alg: 'none', kid: 'key-1' })}.${provider.token().split('.')[1]}.AA`,
    ],
    ['signed with the public key as a secret', () => signedWithPublicKey('spki')],
    ['signed with the public key in its older form', () => signedWithPublicKey('pkcs1')],
    ['of five parts, as an encrypted one', () => `${provider.token()}.AA.AA`],
    ['of nonsense', () => 'aaaa.bbbb.cccc'],
  ])('%s is rejected', async (_, token) => {
    const { verify, fetched } = sessions();
    await expect(verify(token())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(fetched.filter((uri) => uri !== `${issuer}/jwks`)).toEqual([]);
  });
});

describe("the provider's keys", () => {
  it('are fetched once for many tokens', async () => {
    const { verify, fetched } = sessions();
    await verify(provider.token());
    await Promise.all([1, 2, 3].map(() => verify(provider.token())));
    expect(fetched).toEqual([`${issuer}/jwks`]);
  });

  it('are not fetched again for every unknown key id, and known keys stay valid', async () => {
    const { verify, fetched } = sessions();
    const flood = Array.from({ length: 20 }, (_, n) => provider.token({}, { kid: `unknown-${n}` }));
    for (const token of flood) await expect(verify(token)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(verify(provider.token())).resolves.toEqual(ada);
    expect(fetched).toHaveLength(1);
  });

  it('are found by the discovery document if the stage configures no URL', async () => {
    const elsewhere = 'https://keys.example/jwks';
    const { verify } = sessions(
      { jwksUri: undefined },
      { [`${issuer}/.well-known/openid-configuration`]: { issuer, jwks_uri: elsewhere }, [elsewhere]: provider.jwks },
    );
    await expect(verify(provider.token())).resolves.toEqual(ada);
  });

  it.each([
    ['the keys', {}],
    ['the discovery document', { jwksUri: undefined }],
  ])('that cannot be fetched, %s, make the service UNAVAILABLE until they can', async (_, more) => {
    let down = true;
    const verify = oidcSessions({ ...settings, ...more }, salt, async (uri) => {
      if (down) throw new FetchError(uri, 'down');
      return bytes(uri.endsWith('jwks') ? provider.jwks : { issuer, jwks_uri: `${issuer}/jwks` });
    });
    await expect(verify(provider.token())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    down = false;
    await expect(verify(provider.token())).resolves.toEqual(ada);
  });

  it('stay valid while the provider is down, whatever tokens arrive', async () => {
    let down = false;
    const verify = oidcSessions({ ...settings, jwksUri: undefined }, salt, async (uri) => {
      if (down) throw new FetchError(uri, 'down');
      return bytes(uri.endsWith('jwks') ? provider.jwks : { issuer, jwks_uri: `${issuer}/jwks` });
    });
    await verify(provider.token());
    down = true;
    for (const kid of ['unknown-1', 'unknown-2'])
      await expect(verify(provider.token({}, { kid }))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(verify(provider.token())).resolves.toEqual(ada);
  });

  it('of a discovery document of another issuer are not trusted', async () => {
    const document = { issuer: 'https://evil.example', jwks_uri: `${issuer}/jwks` };
    const { verify } = sessions({ jwksUri: undefined }, { [`${issuer}/.well-known/openid-configuration`]: document });
    await expect(verify(provider.token())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

function changed(token: string): string {
  const [header, payload = '', signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return `${header}.${base64UrlJson({ ...claims, sub: 'bob' })}.${signature}`;
}

function signedWithPublicKey(type: 'spki' | 'pkcs1'): string {
  const content = `${base64UrlJson({ alg: 'HS256', kid: 'key-1' })}.${provider.token().split('.')[1]}`;
  const secret = provider.publicKey.export({ type, format: 'pem' });
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

/** Has the key that signed it in its `jwk` header. */
function withOwnKey(): string {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const header = { alg: 'RS256', kid: 'key-1', jwk: publicKey.export({ format: 'jwk' }) };
  const content = `${base64UrlJson(header)}.${provider.token().split('.')[1]}`;
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), privateKey).toString('base64url')}`;
}
