import { CliError } from './cli-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Base URL of the service, and an API key or session token. */
export type ServiceAccess = { baseUrl: string; credential: string };

/**
 * Reads MEDIA_JOBS_URL and MEDIA_JOBS_KEY. There are no options for them: a key on a command line stays in the shell
 * history and shows in every process list.
 * @throws CliError `usage`
 */
export function readServiceAccess({ MEDIA_JOBS_URL = '', MEDIA_JOBS_KEY = '' }: Environment): ServiceAccess {
  return { baseUrl: parseBaseUrl(MEDIA_JOBS_URL), credential: parseCredential(MEDIA_JOBS_KEY) };
}

function parseBaseUrl(text: string): string {
  const hint =
    'Set it to the address of the service without /api/v1, such as https://media.example.com, or http://127.0.0.1:8787 for "npm start".';
  if (text === '') throw new CliError('usage', 'MEDIA_JOBS_URL is not set.', { hint });
  const url = URL.parse(text);
  const isHttp = url !== null && ['http:', 'https:'].includes(url.protocol);
  const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (!isHttp || !isPlain || /\/api\/v1\/*$/.test(url.pathname)) {
    throw new CliError('usage', 'MEDIA_JOBS_URL is not the URL of a service.', { hint });
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new CliError('usage', 'MEDIA_JOBS_URL is an http URL: the key would be sent unencrypted.', {
      hint: 'Use https. Only a service on this machine may be called over http.',
    });
  }
  return text.replace(/\/+$/, '');
}

/** Whether the service has a loopback address: it runs on this machine, and shares its processors. */
export function isLocalStage({ MEDIA_JOBS_URL = '' }: Environment): boolean {
  return isLoopback(URL.parse(MEDIA_JOBS_URL)?.hostname ?? '');
}

function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || /^(127(\.\d+){3}|(.+\.)?localhost)$/.test(hostname);
}

function parseCredential(text: string): string {
  const hint =
    'Set it to an API key (nte_ and 48 more characters). Create one under "API keys" in the dashboard, or ask the operator of the stage for one (npm run first-key).';
  if (text === '') throw new CliError('usage', 'MEDIA_JOBS_KEY is not set.', { hint });
  // Characters that a header cannot carry. The message does not repeat the key.
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new CliError('usage', 'MEDIA_JOBS_KEY contains a space, a line break or another character that no key has.', {
      hint,
    });
  }
  return text;
}

/** How the program is called, and the folder that relative paths start from. */
export type Invocation = { programName: string; workingDirectory: string };

/**
 * Distinguishes `npm run cli` from the installed program. npm changes to the project folder and sets INIT_CWD to the
 * caller's.
 */
export function detectInvocation(environment: Environment, workingDirectory: string): Invocation {
  const isNpmScript = environment.npm_lifecycle_event === 'cli' && environment.npm_package_name === '@media-jobs/stack';
  if (!isNpmScript) return { programName: 'media-jobs', workingDirectory };
  return { programName: 'npm run cli --', workingDirectory: environment.INIT_CWD ?? workingDirectory };
}
