import { describe, expect, it } from 'vitest';
import { blockedPorts, checkUrl, parseReachableAddresses, type UrlRules } from '../../../core/net/check-url.ts';
import { privateUrls, rejectedUrls } from './hostile-urls.ts';

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

  it.each(privateUrls)('is rejected: %s is %s', (url, address) => {
    const message = `The URL's host is the address ${address}, which is not public`;
    expect(checkUrl(url, publicOnly).rejection).toBe(message);
  });

  it.each(rejectedUrls)('is rejected: %j, %s', (url, message) => {
    expect(checkUrl(url, publicOnly).rejection).toBe(message);
  });

  it('is rejected with http if only https is allowed', () => {
    expect(checkUrl('http://example.com/', { ...publicOnly, schemes: ['https'] }).rejection).toBe(
      'The URL must start with https://',
    );
  });

  it('is rejected above 2,048 characters', () => {
    const urlOfMaxLength = `https://example.com/${'a'.repeat(2_028)}`;
    expect(checkUrl(urlOfMaxLength, publicOnly).url?.href).toBe(urlOfMaxLength);
    expect(checkUrl(`${urlOfMaxLength}a`, publicOnly).rejection).toBe('The URL is longer than 2048 characters');
  });

  it('is allowed for a listed private address at its port only', () => {
    const rules = { ...publicOnly, reachable: parseReachableAddresses('127.0.0.1:9000') };
    expect(checkUrl('http://127.0.0.1:9000/', rules).url?.port).toBe('9000');
    expect(checkUrl('http://localhost:9000/', rules).url?.port).toBe('9000');
    expect(checkUrl('http://127.0.0.1:9001/', rules).rejection).toContain('127.0.0.1, which is not public');
    expect(checkUrl('http://localhost:9001/', rules).rejection).toContain('localhost, which is not public');
  });

  it('appears in its rejection with port and IP address only', () => {
    for (const text of ['https://secret:hunter2@127.0.0.1/secret?secret', 'secret://secret', 'http://127.1/secret']) {
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
});
