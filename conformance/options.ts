import { parseArgs } from 'node:util';
import type { Target } from './target.ts';

/** What a command that judges a stage says of itself; `does` is its first sentence. */
export function formatUsage({ command, does }: { command: string; does: string }): string {
  return `${does}

  npm run ${command} -- --url URL --key KEY [--session TOKEN] [--receive-at URL] [--origin URL] ...

  --url URL            address of the stage (or MEDIA_JOBS_URL)
  --key KEY            an API key (or MEDIA_JOBS_KEY, which other users of this machine cannot see)
  --session TOKEN      a session token of a user (or MEDIA_JOBS_SESSION): keys are made and revoked by it
  --receive-at URL     address under which the stage reaches this machine, for webhooks: a tunnel, or for a local
                       stage http://127.0.0.1:8799
  --receive-port PORT  port to listen on (default: that of --receive-at if it is given there, else 8799;
                       0: any free one, added to --receive-at)
  --origin URL         the setting dashboardOrigin, where there is one
  --no-dashboard       the stage has no dashboard
  --only TEXT          only clauses whose id begins so, such as authentication or delivery.2
  --list               list the clauses, and call nothing
  --json               one JSON document on stdout; what happens meanwhile is on stderr

Ends with 0 when nothing is broken, 1 when a sentence is, 2 when it could not run. What it is not given something for
is skipped, and said so. It changes the default webhook for moments, and puts it back: use a key of an owner whose
jobs nobody waits for. The jobs it makes are deleted.`;
}

export type Options = { target: Target; only: string; list: boolean; json: boolean };

type CommandLine = { args: string[]; variables: Record<string, string | undefined>; usage: string };

const defaultPort = 8799;

/**
 * Reads the command line; keys and tokens may come from variables, so that they are in no list of processes.
 * @throws Error with a sentence for whoever called
 */
export function readOptions({ args, variables, usage }: CommandLine): Options {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      url: { type: 'string', default: variables.MEDIA_JOBS_URL ?? '' },
      key: { type: 'string', default: variables.MEDIA_JOBS_KEY ?? '' },
      session: { type: 'string', default: variables.MEDIA_JOBS_SESSION ?? '' },
      'receive-at': { type: 'string', default: '' },
      'receive-port': { type: 'string', default: '' },
      origin: { type: 'string', default: '' },
      dashboard: { type: 'boolean', default: true },
      only: { type: 'string', default: '' },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { url, key, session, origin, dashboard: hasDashboard, only, list, json } = values;
  if (!list && (url === '' || key === '')) throw new Error(usage);
  const receiveAt = values['receive-at'];
  const target: Target = {
    baseUrl: list ? '' : base(url, '--url'),
    apiKey: key,
    hasDashboard,
    ...(session === '' ? {} : { sessionToken: session }),
    ...(origin === '' ? {} : { origin: base(origin, '--origin') }),
    ...(receiveAt === ''
      ? {}
      : { receiver: receiverOf(base(receiveAt, '--receive-at'), values['receive-port']) }),
  };
  return { target, only, list, json };
}

function base(text: string, flag: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new Error(`${flag} is ${text}; it must be a URL that begins with https:// or http://.`);
  }
  return text.replace(/\/+$/, '');
}

function receiverOf(url: string, portText: string): { url: string; port: number } {
  const port = Number(portText || new URL(url).port || defaultPort);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`--receive-port is ${portText}; it must be a whole number from 0 to 65535.`);
  }
  return { url, port };
}
