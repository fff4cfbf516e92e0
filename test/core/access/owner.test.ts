import { describe, expect, it } from 'vitest';
import { type OwnerClaims, ownerIdFromClaims } from '../../../core/access/owner.ts';

const issuer = 'https://id.example';
const ada = { issuer, subject: 'ada', organisation: undefined };
const idOf = (claims: OwnerClaims, salt = 'of the stage') => ownerIdFromClaims(claims, salt);

describe('the owner of a session', () => {
  it('is the user, the same at each sign-in', () => {
    expect(idOf(ada)).toBe(idOf({ ...ada }));
    expect(idOf(ada)).not.toBe(idOf({ ...ada, subject: 'bob' }));
  });

  it('differs between issuers', () => expect(idOf({ ...ada, issuer: 'https://id.example.org' })).not.toBe(idOf(ada)));

  it('is the organisation for all its members', () => {
    const organisation = 'acme';
    expect(idOf({ ...ada, organisation })).toBe(idOf({ ...ada, subject: 'bob', organisation }));
  });

  it('differs between an organisation and a user of the same name', () => {
    expect(idOf({ ...ada, organisation: 'acme' })).not.toBe(idOf({ ...ada, subject: 'acme' }));
  });

  it('is a hash without any claim in plain text, of another value on each stage', () => {
    expect(idOf(ada)).toMatch(/^[\w-]{22}$/);
    expect(idOf(ada, 'of another stage')).not.toBe(idOf(ada));
  });

  it.each([
    ['no subject', { ...ada, subject: undefined }],
    ['an empty subject', { ...ada, subject: '' }],
    ['an organisation that is no text', { ...ada, organisation: ['acme', 'other'] }],
    ['an empty organisation', { ...ada, organisation: '' }],
  ])('is undefined if the token has %s', (_, claims) => {
    expect(() => idOf(claims)).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED' }));
  });
});
