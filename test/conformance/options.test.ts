import { describe, expect, it } from 'vitest';
import { readOptions } from '../../conformance/options.ts';

const read = (args: string[], variables = {}) => readOptions({ args, variables, usage: 'How to call it' });

const stage = ['--url', 'https://media.example.com/', '--key', 'k'];

describe('the options of the conformance suite', () => {
  it('name a stage and a key, and are without the rest', () => {
    expect(read(stage).target).toEqual({
      baseUrl: 'https://media.example.com',
      apiKey: 'k',
      hasDashboard: true,
    });
  });

  it('come from variables too, which the command line goes before', () => {
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
  ])('say with %j which port webhooks come to', (args, port) => {
    expect(read([...stage, ...args]).target.receiver?.port).toBe(port);
  });

  it.each([
    [[], /How to call it/],
    [['--url', 'media.example.com', '--key', 'k'], /--url is media\.example\.com; it must be a URL/],
    [[...stage, '--origin', 'here'], /--origin is here; it must be a URL/],
    [
      [...stage, '--receive-at', 'http://a.example', '--receive-port', 'x'],
      /--receive-port is x; it must be/,
    ],
    [[...stage, '--nonsense'], /Unknown option '--nonsense'/],
  ])('that are wrong are told so: %j', (args, sentence) => {
    expect(() => read(args)).toThrow(sentence);
  });
});
