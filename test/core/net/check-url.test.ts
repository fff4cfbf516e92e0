import { describe, expect, it } from 'vitest';
import { blockedPorts, checkUrl, type UrlRules } from '../../../core/net/check-url.ts';
import { parseReachableAddresses } from '../../../core/net/reachable-address.ts';

const publicOnly: UrlRules = { schemes: ['http', 'https'], reachable: [] };

describe('the text of a URL', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://EXAMPLE.com:443/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['http://example.com:8080/a%20b', 'http://example.com:8080/a%20b'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://example.com/ü/@home?mail=a@b.c', 'https://example.com/%C3%BC/@home?mail=a@b.c'],
    ['http://1.1.1.1/', 'http://1.1.1.1/'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
    ['https://localhost.example.com/', 'https://localhost.example.com/'],
  ])('is allowed: %s', (text, canonical) => expect(checkUrl(text, publicOnly).url?.href).toBe(canonical));

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://%31%32%37.0.0.1/',
    'http://１２７.0.0.1/',
    'http://127。0。0。1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://0/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0xa9fea9fe/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[2002:7f00:1::]/',
    'http://[fd00:ec2::254]/',
    'http://10.0.0.1/',
    'http://localhost/',
    'http://LocalHost/',
    'http://localhost./',
    'http://app.localhost:3000/',
    'http://ⓛocalhost/',
  ])('is rejected because it is not public: %s', (text) => {
    expect(checkUrl(text, publicOnly).rejection).toContain('is not public');
  });

  it.each([
    'https://user@example.com/',
    'https://user:password@example.com/',
    'https://@example.com/',
    'https://:@example.com/',
    'https://example.com@127.0.0.1/',
  ])('is rejected with user info: %s', (text) => {
    expect(checkUrl(text, publicOnly).rejection).toContain('user name or password');
  });

  it.each([
    'https://exa\tmple.com/',
    'https://example.com/\r\nHost: internal',
    'https://example.com/a\n',
    ' https://example.com/',
    'https://example.com/ ',
    'https://example.com/a b',
    'https://example.com/\0',
    'https://example.com/\x7f',
    'https://example.com/\u0085',
    'https://example.com/\u00a0',
    'https://example.com/\u2028',
    'https://example.com/\ud800',
    'https:\\\\example.com\\',
    'https://example.com\\@127.0.0.1/',
  ])('is rejected with characters that parsers read differently: %j', (text) => {
    expect(checkUrl(text, publicOnly).rejection).toContain('spaces, control characters or backslashes');
  });

  it.each([
    '',
    'example.com',
    '//example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:,x',
    'gopher://example.com/',
    's3://bucket/key',
  ])('is rejected with another scheme: %j', (text) =>
    expect(checkUrl(text, publicOnly).rejection).toBe('The URL must start with http:// or https://'),
  );

  it('is rejected with http if only https is allowed', () => {
    expect(checkUrl('http://example.com/', { ...publicOnly, schemes: ['https'] }).rejection).toBe(
      'The URL must start with https://',
    );
  });

  it.each([
    'https:',
    'https:example.com',
    'https:/example.com',
    'https://',
    'https:///example.com',
    'https://?x',
  ])('is rejected without a host: %s', (text) =>
    expect(checkUrl(text, publicOnly).rejection).toBe('The URL has no host after its scheme'),
  );

  it.each([
    'https://:80/',
    'https://example.com:99999/',
    'https://1.2.3.256/',
    'https://[::1/',
    'https://[fe80::1%25eth0]/',
    'https://exa<mple.com/',
  ])('is rejected if it is not a URL: %s', (text) =>
    expect(checkUrl(text, publicOnly).rejection).toContain('not valid'),
  );

  it('is rejected above 2,048 characters', () => {
    const urlOfMaxLength = `https://example.com/${'a'.repeat(2_028)}`;
    expect(checkUrl(urlOfMaxLength, publicOnly).url?.href).toBe(urlOfMaxLength);
    expect(checkUrl(`${urlOfMaxLength}a`, publicOnly).rejection).toBe(
      'The URL is longer than 2048 characters',
    );
  });

  it('is allowed for a listed private address at its port only', () => {
    const rules = { ...publicOnly, reachable: parseReachableAddresses('127.0.0.1:9000') };
    expect(checkUrl('http://127.0.0.1:9000/', rules).url?.port).toBe('9000');
    expect(checkUrl('http://localhost:9000/', rules).url?.port).toBe('9000');
    expect(checkUrl('http://127.0.0.1:9001/', rules).rejection).toContain('127.0.0.1, which is not public');
    expect(checkUrl('http://localhost:9001/', rules).rejection).toContain('localhost, which is not public');
  });

  it('appears in its rejection with port and IP address only', () => {
    for (const text of [
      'https://secret:hunter2@127.0.0.1/secret?secret',
      'secret://secret',
      'http://127.1/secret',
    ]) {
      expect(checkUrl(text, publicOnly).rejection).not.toMatch(/secret|hunter2/);
    }
  });
});

describe('blocked ports', () => {
  // Node's fetch does not list port 0, which the standard has: nothing can listen there.
  it('are blocked by fetch too', async () => {
    for (const port of [...blockedPorts].filter((blocked) => blocked !== 0)) {
      const rejection = await fetch(`http://127.0.0.1:${port}/`).catch((error: Error) => error.cause);
      expect(rejection).toMatchObject({ message: 'bad port' });
    }
  });

  it('are rejected in a URL with their number', () => {
    expect(checkUrl('https://example.com:25/', publicOnly).rejection).toContain('port 25 is blocked');
    expect(checkUrl('https://example.com:0/', publicOnly).rejection).toContain('port 0 is blocked');
  });
});
