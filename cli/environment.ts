import { CliError } from './cli-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the service is, and by what it knows the caller: an API key or a session token. */
export type ServiceAccess = { baseUrl: string; credential: string };

/**
 * Reads MEDIA_JOBS_URL and MEDIA_JOBS_KEY. There are no options for them: a key on a command line stays in the
 * shell's history and is seen by everyone who lists processes.
 * @throws CliError `usage`
 */
export function readServiceAccess({ MEDIA_JOBS_URL = '', MEDIA_JOBS_KEY = '' }: Environment): ServiceAccess {
  return { baseUrl: baseUrlOf(MEDIA_JOBS_URL), credential: credentialOf(MEDIA_JOBS_KEY) };
}

function baseUrlOf(text: string): string {
  const hint =
    'The address of the service, such as https://media.example.com, or http://127.0.0.1:8787 of "npm start".';
  if (text === '') throw new CliError('usage', 'MEDIA_JOBS_URL is not set.', { hint });
  const url = URL.parse(text);
  const isWeb = url !== null && ['http:', 'https:'].includes(url.protocol);
  const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (!isWeb || !isPlain)
    throw new CliError('usage', 'MEDIA_JOBS_URL is not the URL of a service.', { hint });
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    throw new CliError('usage', 'MEDIA_JOBS_URL is an http address: anyone on the way could read the key.', {
      hint: 'Write https. Only a service on this machine may be called by http.',
    });
  }
  return text.replace(/\/+$/, '');
}

function isThisMachine(hostname: string): boolean {
  return hostname === '[::1]' || /^(127(\.\d+){3}|(.+\.)?localhost)$/.test(hostname);
}

function credentialOf(text: string): string {
  const hint = 'An API key, nte_ and 48 more characters; the dashboard makes one under "API keys".';
  if (text === '') throw new CliError('usage', 'MEDIA_JOBS_KEY is not set.', { hint });
  // What no header can hold; the key itself is not repeated.
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new CliError('usage', 'MEDIA_JOBS_KEY has a space, a line break or a letter that no key has.', {
      hint,
    });
  }
  return text;
}
