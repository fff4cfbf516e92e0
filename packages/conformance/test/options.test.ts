import { describe, expect, it } from 'vitest';
import { readOptions } from '../src/options.ts';

const read = (args: string[], variables = {}) => readOptions({ args, variables, usage: 'How to call it' });

const stage = ['--url', 'https://media.example.com/', '--key', 'k'];

describe('the options of the conformance suite', () => {
  it('a URL and a key are sufficient', () => {
    expect(read(stage).target).toEqual({ baseUrl: 'https://media.example.com', apiKey: 'k', hasDashboard: true });
  });

  it('options override environment variables', () => {
    const variables = { MEDIA_JOBS_URL: 'https://a.example', MEDIA_JOBS_KEY: 'a', MEDIA_JOBS_SESSION: 's' };
    expect(read(['--key', 'b'], variables).target).toMatchObject({
      baseUrl: 'https://a.example',
      apiKey: 'b',
      sessionToken: 's',
    });
  });

  it.each([
    [['--receive-at', 'http://127.0.0.1:9000'], 9000],
    [['--receive-at', 'https://tunnel.example'], 8799],
    [['--receive-at', 'https://tunnel.example', '--receive-port', '9001'], 9001],
  ])('%j sets the port of the receiver', (args, port) => {
    expect(read([...stage, ...args]).target.receiver?.port).toBe(port);
  });

  it.each([
    [[], /How to call it/],
    [['--url', 'media.example.com', '--key', 'k'], /--url is media\.example\.com; expected a URL/],
    [[...stage, '--origin', 'here'], /--origin is here; expected a URL/],
    [[...stage, '--receive-at', 'http://a.example', '--receive-port', 'x'], /--receive-port is x; expected/],
    [[...stage, '--nonsense'], /Unknown option '--nonsense'/],
  ])('invalid options are rejected: %j', (args, sentence) => expect(() => read(args)).toThrow(sentence));
});
