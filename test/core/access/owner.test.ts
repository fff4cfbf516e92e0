import { describe, expect, it } from 'vitest';
import { ownerIdFromClaims } from '../../../core/access/owner.ts';

const issuer = 'https://id.example';
const ada = { issuer, subject: 'ada', organisation: undefined };

describe('the owner of a session', () => {
  it('is the user, the same at each sign-in', () => {
    expect(ownerIdFromClaims(ada)).toBe(ownerIdFromClaims({ ...ada }));
    expect(ownerIdFromClaims(ada)).not.toBe(ownerIdFromClaims({ ...ada, subject: 'bob' }));
  });

  it('differs between issuers', () => {
    expect(ownerIdFromClaims({ ...ada, issuer: 'https://id.example.org' })).not.toBe(ownerIdFromClaims(ada));
  });

  it('is the organisation for all its members', () => {
    const organisation = 'acme';
    expect(ownerIdFromClaims({ ...ada, organisation })).toBe(
      ownerIdFromClaims({ ...ada, subject: 'bob', organisation }),
    );
  });

  it('differs between an organisation and a user of the same name', () => {
    expect(ownerIdFromClaims({ ...ada, organisation: 'acme' })).not.toBe(
      ownerIdFromClaims({ ...ada, subject: 'acme' }),
    );
  });

  it('is a hash without any claim in plain text', () => {
    expect(ownerIdFromClaims(ada)).toMatch(/^[\w-]{22}$/);
  });

  it.each([
    ['no subject', { ...ada, subject: undefined }],
    ['an empty subject', { ...ada, subject: '' }],
    ['an organisation that is no text', { ...ada, organisation: ['acme', 'other'] }],
    ['an empty organisation', { ...ada, organisation: '' }],
  ])('is undefined if the token has %s', (_, claims) => {
    expect(() => ownerIdFromClaims(claims)).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED' }));
  });
});
