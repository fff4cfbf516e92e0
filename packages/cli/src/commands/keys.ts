import { allScopes, previewApiKey, type Scope } from '@media-jobs/core/api';
import { type Speed, speeds } from '@media-jobs/video/encoding';
import { Command, InvalidArgumentError, Option } from 'commander';
import { CliError } from '../cli-error.ts';
import { confirmDeletion } from '../confirm-deletion.ts';
import type { CommandContext, CommandFactory } from '../context/command-context.ts';
import { parseNumber } from '../request/parse-number.ts';
import { columns } from '../show/sanitize.ts';

type Limits = { maxUnfinishedJobs?: number; usdPerDay?: number; usdPerMonth?: number };

export const keysCommand: CommandFactory = (context) => {
  const keys = new Command('keys').description(
    'Manages API keys. A key with the scope keys manages itself and the keys that it created. A session token in MEDIA_JOBS_KEY manages all.',
  );
  keys
    .command('list', { isDefault: true })
    .description('Lists the API keys without their full values.')
    .action(async () => {
      const result = await context.client.listKeys();
      const rows = result.keys.map(({ keyId, preview, createdAt, lastUsedAt, expiresAt, scopes, name }) => [
        keyId,
        preview,
        createdAt,
        lastUsedAt ?? 'never',
        expiresAt ?? 'never',
        scopes.length === allScopes.length ? 'all' : scopes.join(','),
        name,
      ]);
      const titles = ['KEY ID', 'KEY', 'CREATED', 'LAST USED', 'EXPIRES', 'SCOPES', 'NAME'];
      context.printResult(result, columns([titles, ...rows]));
    });
  keys
    .command('create')
    .description('Creates an API key and prints it once.')
    .argument('<name>', 'name of the key in the list')
    .addOption(
      new Option('--scope <scope>', 'what the key may do; repeat the option for several')
        .choices(allScopes)
        .argParser(collectScope),
    )
    .option('--expires <time>', 'expiry: a time such as 2026-03-01T12:00:00Z, or 10m, 12h or 30d from now')
    .option(
      '--max-unfinished-jobs <number>',
      'rejects submissions while you have this many unfinished jobs',
      parseCount,
    )
    .addOption(
      new Option('--default-speed <speed>', 'speed of jobs that name none; default: that of the service').choices(
        speeds,
      ),
    )
    .option('--usd-per-day <dollars>', 'maximum cost of its jobs of one UTC day', parseNumber)
    .option('--usd-per-month <dollars>', 'maximum cost of its jobs of one UTC month', parseNumber)
    .action(async (name: string, options: { scope?: Scope[]; expires?: string; defaultSpeed?: Speed } & Limits) => {
      const { scope: scopes, expires, defaultSpeed, ...limits } = options;
      const expiresAt = expires === undefined ? undefined : parseExpiry(expires, context.now());
      const created = await context.client.createKey({
        body: { name, scopes, expiresAt, defaultSpeed, ...(Object.keys(limits).length === 0 ? {} : { limits }) },
      });
      context.printResult(created, created.key);
      context.printNote('Store the key now. It cannot be shown again.');
    });
  keys
    .command('revoke')
    .description('Revokes an API key and the keys that it created. The next request with one of them gets 401.')
    .argument('<key-id>', 'key id from the list')
    .action(async (id: string) => {
      const { client, printResult } = context;
      const goneCodes = (await isOwnKey(id, context)) ? ['NOT_FOUND', 'UNAUTHORIZED'] : ['NOT_FOUND'];
      await confirmDeletion(client.deleteKey({ params: { id } }), goneCodes);
      printResult({ keyId: id, revoked: true }, `Key ${id} is revoked.`);
    });
  return keys;
};

/** Whether this is the key in use: once it is revoked, every request gets 401, a repeated one too. */
async function isOwnKey(id: string, { client, environment }: CommandContext): Promise<boolean> {
  const ownPreview = previewApiKey(environment.MEDIA_JOBS_KEY ?? '');
  const { keys } = await client.listKeys();
  return keys.some(({ keyId, preview }) => keyId === id && preview === ownPreview);
}

/** Collects the scopes of a repeatable option. */
function collectScope(text: string, collected: Scope[] = []): Scope[] {
  const scope = allScopes.find((known) => known === text);
  if (scope === undefined) throw new InvalidArgumentError(`Allowed choices are ${allScopes.join(', ')}.`);
  return [...collected, scope];
}

function parseCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time as it is, or a duration from now such as `10m`. The API validates the time. */
function parseExpiry(text: string, now: number): string {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now + Number(count) * (unitMs[unit] ?? 0)).toISOString();
  if (/^\d{4}-.*T/.test(text)) return text;
  const message = '--expires: Must be a time such as 2026-03-01T12:00:00Z, or 10m, 12h or 30d from now';
  throw new CliError('usage', message);
}
