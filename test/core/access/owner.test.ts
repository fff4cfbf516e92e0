import { describe, expect, it } from 'vitest';
import { ownerOfClaims } from '../../../core/access/owner.ts';

const issuer = 'https://id.example';
const ada = { issuer, subject: 'ada', organisation: undefined };

describe('the owner of a session', () => {
  it('is the user, the same at every sign-in', () => {
    expect(ownerOfClaims(ada)).toBe(ownerOfClaims({ ...ada }));
    expect(ownerOfClaims(ada)).not.toBe(ownerOfClaims({ ...ada, subject: 'bob' }));
  });

  it('is another one at another issuer', () => {
    expect(ownerOfClaims({ ...ada, issuer: 'https://id.example.org' })).not.toBe(ownerOfClaims(ada));
  });

  it('is the organisation, for all of its members', () => {
    const organisation = 'acme';
    expect(ownerOfClaims({ ...ada, organisation })).toBe(
      ownerOfClaims({ ...ada, subject: 'bob', organisation }),
    );
  });

  it('is never an organisation because a user is called like it', () => {
    expect(ownerOfClaims({ ...ada, organisation: 'acme' })).not.toBe(
      ownerOfClaims({ ...ada, subject: 'acme' }),
    );
  });

  it('shows nothing of the claims and fits a key of the table', () => {
    expect(ownerOfClaims(ada)).toMatch(/^[\w-]{43}$/);
  });

  it.each([
    ['no subject', { ...ada, subject: undefined }],
    ['an empty subject', { ...ada, subject: '' }],
    ['an organisation that is no text', { ...ada, organisation: ['acme', 'other'] }],
    ['an empty organisation', { ...ada, organisation: '' }],
  ])('is nobody where the token has %s', (_, claims) => {
    expect(() => ownerOfClaims(claims)).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED' }));
  });
});
