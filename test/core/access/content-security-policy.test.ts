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
  it('runs scripts of the own origin only: none inline, none evaluated', () => {
    expect(sourcesOf('script-src')).toEqual(["'self'"]);
  });

  it('forbids whatever it does not name, and being framed', () => {
    expect(sourcesOf('default-src')).toEqual(["'none'"]);
    expect(sourcesOf('frame-ancestors')).toEqual(["'none'"]);
    expect(sourcesOf('base-uri')).toEqual(["'none'"]);
  });

  it('sends requests to the API, the identity provider and the media bucket, and nowhere else', () => {
    expect(sourcesOf('connect-src')).toEqual([
      "'self'",
      'https://id.example',
      'https://login.example',
      'https://bucket.example',
    ]);
  });

  it('shows films of the bucket, of files just dropped, and of inputs', () => {
    expect(sourcesOf('media-src')).toEqual(["'self'", 'blob:', 'https://bucket.example', 'https:']);
  });
});
