import { parseArgs } from 'node:util';
import { createMediaJobs } from '@media-jobs/client';
import { version } from '@media-jobs/core/api';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createBudget } from './budget.ts';
import { startLocalStage } from './local-stage.ts';
import { createMcpServer } from './server.ts';

const usage = `Gives agents the tools of a media jobs service, over the Model Context Protocol on standard input and output.

  npx @media-jobs/mcp [--max-usd N] [--start COMMAND]

  --max-usd N       dollars that the jobs of this session may cost together; each job gets a limit
  --start COMMAND   starts the service if MEDIA_JOBS_URL is not set (default: npx -y media-jobs start --json)

MEDIA_JOBS_URL and MEDIA_JOBS_KEY name the service and an API key, whose scopes and limits hold.
`;

const { values } = parseArgs({
  options: { 'max-usd': { type: 'string' }, start: { type: 'string' }, help: { type: 'boolean', default: false } },
});
const maxUsd = values['max-usd'] === undefined ? undefined : Number(values['max-usd']);
if (values.help) process.stderr.write(usage);
else if (maxUsd !== undefined && !(maxUsd > 0)) {
  process.stderr.write(`--max-usd must be a number above 0.\n\n${usage}`);
  process.exitCode = 2;
} else await serve();

async function serve(): Promise<void> {
  const { MEDIA_JOBS_URL: baseUrl = '', MEDIA_JOBS_KEY: apiKey = '' } = process.env;
  if (baseUrl !== '' && !keepsKeySecret(baseUrl)) {
    process.stderr.write('MEDIA_JOBS_URL must be an https URL: otherwise the key is sent unencrypted.\n');
    process.exit(2);
  }
  const start = values.start?.split(' ') ?? ['npx', '-y', `media-jobs@${version}`, 'start', '--json'];
  const stage = baseUrl === '' ? await startLocalStage(start) : { baseUrl, apiKey, stop: () => undefined };
  const mediaJobs = createMediaJobs({ baseUrl: stage.baseUrl.replace(/\/+$/, ''), apiKey: stage.apiKey });
  const server = createMcpServer({ mediaJobs, budget: createBudget(maxUsd), version });
  server.server.onclose = stage.stop;
  process.once('exit', stage.stop);
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit());
  process.stdin.once('end', () => process.exit());
  await server.connect(new StdioServerTransport());
}

/** Whether requests to a URL are encrypted or stay on this machine. */
function keepsKeySecret(baseUrl: string): boolean {
  const { protocol, hostname } = URL.parse(baseUrl) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && /^(\[::1\]|127(\.\d+){3}|localhost)$/.test(hostname ?? ''));
}
