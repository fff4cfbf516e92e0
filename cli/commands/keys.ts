import { Command } from 'commander';
import { ApiError } from '../../client/api-error.ts';
import { CliError } from '../cli-error.ts';
import type { CommandFactory } from '../context/command-context.ts';
import { columns } from '../show/columns.ts';
import { sanitizeLine } from '../show/sanitize.ts';

const hint =
  'Open "API keys" in the dashboard (/app of the service), or set MEDIA_JOBS_KEY to a session token of your identity provider for this command.';

export const keysCommand: CommandFactory = (runAction) => {
  const keys = new Command('keys').description(
    'Manages API keys. Requires a session token in MEDIA_JOBS_KEY.',
  );
  keys
    .command('list', { isDefault: true })
    .description('Lists the API keys without their full values.')
    .action(
      runAction(async ({ client, printResult }) => {
        const result = await requireSession(client.listKeys());
        const rows = result.keys.map(({ keyId, preview, createdAt, lastUsedAt, name }) => [
          ...[keyId, preview, createdAt, lastUsedAt ?? 'never'],
          sanitizeLine(name),
        ]);
        printResult(result, columns([['KEY ID', 'KEY', 'CREATED', 'LAST USED', 'NAME'], ...rows]));
      }),
    );
  keys
    .command('create')
    .description('Creates an API key and prints it once.')
    .argument('<name>', 'name of the key in the list')
    .action(
      runAction(async ({ client, printResult, printNote }, name: string) => {
        const created = await requireSession(client.createKey({ body: { name } }));
        printResult(created, created.key);
        printNote('Store the key now. It cannot be shown again.');
      }),
    );
  keys
    .command('revoke')
    .description('Revokes an API key. The next request with it gets 401.')
    .argument('<key-id>', 'key id from the list')
    .action(
      runAction(async ({ client, printResult }, id: string) => {
        await requireSession(client.deleteKey({ params: { id } }));
        printResult({ keyId: id, revoked: true }, `Key ${id} is revoked.`);
      }),
    );
  return keys;
};

/** Explains a 403: its only cause is that an API key called a route that requires a session. */
async function requireSession<Response>(response: Promise<Response>): Promise<Response> {
  try {
    return await response;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    throw new CliError('denied', 'An API key cannot manage API keys.', { hint, cause: error });
  }
}
