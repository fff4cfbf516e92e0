import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from '../../../core/access/content-security-policy.ts';

const policy = contentSecurityPolicy({
  identity: ['https://id.example', 'https://login.example'],
  media: 'https://bucket.example',
  inputSchemes: ['https:'],
});
const sourcesOf = (name: string) =>
  policy
    .split('; ')
    .find((directive) => directive.startsWith(`${name} `))
    ?.split(' ')
    .slice(1);

describe('the content security policy', () => {
  it('allows scripts from its own origin only, neither inline nor eval', () => {
    expect(sourcesOf('script-src')).toEqual(["'self'"]);
  });

  it('denies by default and denies framing', () => {
    expect(sourcesOf('default-src')).toEqual(["'none'"]);
    expect(sourcesOf('frame-ancestors')).toEqual(["'none'"]);
    expect(sourcesOf('base-uri')).toEqual(["'none'"]);
  });

  it('allows requests to the API, the identity provider and the media bucket only', () => {
    expect(sourcesOf('connect-src')).toEqual([
      "'self'",
      'https://id.example',
      'https://login.example',
      'https://bucket.example',
    ]);
  });

  it('allows media from the bucket, from local files and from inputs', () => {
    expect(sourcesOf('media-src')).toEqual(["'self'", 'blob:', 'https://bucket.example', 'https:']);
  });
});
