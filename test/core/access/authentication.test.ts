import { describe, expect, it } from 'vitest';
import { readCredential } from '../../../core/access/authentication.ts';

describe('the credential of a request', () => {
  it.each([
    ['a bearer token', { authorization: 'Bearer secret' }, 'secret'],
    ['the scheme in any case', { authorization: 'bEaReR secret' }, 'secret'],
    ['an API key header', { 'x-api-key': 'secret' }, 'secret'],
    ['both, when they are equal', { authorization: 'Bearer secret', 'x-api-key': 'secret' }, 'secret'],
  ])('is read from %s', (_, headers, credential) => {
    expect(readCredential(headers)).toBe(credential);
  });

  it.each([
    ['no header', {}],
    ['two that differ', { authorization: 'Bearer one', 'x-api-key': 'two' }],
    ['another scheme', { authorization: 'Basic secret' }],
    ['another scheme beside a key', { authorization: 'Basic secret', 'x-api-key': 'secret' }],
    ['a scheme alone', { authorization: 'Bearer' }],
  ])('is missing with %s', (_, headers) => {
    expect(readCredential(headers)).toBeUndefined();
  });

  it('is not trimmed', () => {
    expect(readCredential({ authorization: 'Bearer  secret ' })).toBe(' secret ');
    expect(readCredential({ 'x-api-key': ' secret' })).toBe(' secret');
  });

  it('of a repeated header stays joined by a comma, so that it matches no key', () => {
    expect(readCredential({ 'x-api-key': 'secret,secret' })).toBe('secret,secret');
  });
});
