import { parseArgs } from 'node:util';
import type { Target } from './target.ts';

export function formatUsage({ command, description }: { command: string; description: string }): string {
  return `${description}

  npm run ${command} -- --url URL --key KEY [--session TOKEN] [--receive-at URL] [--origin URL] ...

  --url URL            address of the stage (or MEDIA_JOBS_URL)
  --key KEY            API key (or MEDIA_JOBS_KEY, which does not show in process lists)
  --session TOKEN      session token of a user (or MEDIA_JOBS_SESSION), to create and revoke keys
  --receive-at URL     URL under which the stage reaches this machine, for webhooks: a tunnel, or for a local
                       stage http://127.0.0.1:8799
  --receive-port PORT  port to listen on (default: the port of --receive-at, else 8799;
                       0: any free port, appended to --receive-at)
  --origin URL         value of the setting dashboardOrigin, if it is set
  --no-dashboard       the stage has no dashboard
  --only TEXT          only clauses whose id starts with this, such as authentication or delivery.2
  --list               list the clauses without calling the stage
  --json               print one JSON document to stdout, progress to stderr

Exits with 0 if no clause failed, 1 if one failed, 2 if the suite could not run. Clauses without the input they need
are skipped. The suite changes the default webhook for moments and restores it: use a key of an owner without jobs in
progress. It deletes the jobs it creates.`;
}

export type Options = { target: Target; only: string; list: boolean; json: boolean };

type CommandLine = { args: string[]; variables: Record<string, string | undefined>; usage: string };

const defaultPort = 8799;

/**
 * Parses the command line. Keys and tokens may come from environment variables, which do not show in process lists.
 * @throws Error with a message for the user
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
    baseUrl: list ? '' : parseBaseUrl(url, '--url'),
    apiKey: key,
    hasDashboard,
    sessionToken: session || undefined,
    origin: origin === '' ? undefined : parseBaseUrl(origin, '--origin'),
    receiver:
      receiveAt === '' ? undefined : parseReceiver(parseBaseUrl(receiveAt, '--receive-at'), values['receive-port']),
  };
  return { target, only, list, json };
}

function parseBaseUrl(text: string, flag: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new Error(`${flag} is ${text}; expected a URL that starts with https:// or http://.`);
  }
  return text.replace(/\/+$/, '');
}

function parseReceiver(url: string, portText: string): { url: string; port: number } {
  const port = Number(portText || new URL(url).port || defaultPort);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`--receive-port is ${portText}; expected a whole number from 0 to 65535.`);
  }
  return { url, port };
}
