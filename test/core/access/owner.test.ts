import { describe, expect, it } from 'vitest';
import { ownerIdFromClaims } from '../../../core/access/owner.ts';

const issuer = 'https://id.example';
const ada = { issuer, subject: 'ada', organisation: undefined };

describe('the owner of a session', () => {
  it('is the user, the same at every sign-in', () => {
    expect(ownerIdFromClaims(ada)).toBe(ownerIdFromClaims({ ...ada }));
    expect(ownerIdFromClaims(ada)).not.toBe(ownerIdFromClaims({ ...ada, subject: 'bob' }));
  });

  it('is another one at another issuer', () => {
    expect(ownerIdFromClaims({ ...ada, issuer: 'https://id.example.org' })).not.toBe(ownerIdFromClaims(ada));
  });

  it('is the organisation, for all of its members', () => {
    const organisation = 'acme';
    expect(ownerIdFromClaims({ ...ada, organisation })).toBe(
      ownerIdFromClaims({ ...ada, subject: 'bob', organisation }),
    );
  });

  it('is never an organisation because a user is called like it', () => {
    expect(ownerIdFromClaims({ ...ada, organisation: 'acme' })).not.toBe(
      ownerIdFromClaims({ ...ada, subject: 'acme' }),
    );
  });

  it('shows nothing of the claims and fits a key of the table', () => {
    expect(ownerIdFromClaims(ada)).toMatch(/^[\w-]{43}$/);
  });

  it.each([
    ['no subject', { ...ada, subject: undefined }],
    ['an empty subject', { ...ada, subject: '' }],
    ['an organisation that is no text', { ...ada, organisation: ['acme', 'other'] }],
    ['an empty organisation', { ...ada, organisation: '' }],
  ])('is nobody where the token has %s', (_, claims) => {
    expect(() => ownerIdFromClaims(claims)).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED' }));
  });
});
