import { Command } from 'commander';
import { ApiError } from '../../client/api-error.ts';
import { CliError } from '../cli-error.ts';
import type { CommandFactory } from '../context/run-action.ts';
import { columns } from '../show/columns.ts';
import { sanitizeLine } from '../show/sanitize.ts';

const hint =
  'Sign in to the dashboard, at /app of the service, and open "API keys"; or put a session token of your identity provider into MEDIA_JOBS_KEY for this command.';

export const keysCommand: CommandFactory = (attend) => {
  const keys = new Command('keys').description('API keys; these need a session token in MEDIA_JOBS_KEY.');
  keys
    .command('list', { isDefault: true })
    .description('Lists the API keys, never their full values.')
    .action(
      attend(async ({ client, printResult: answer }) => {
        const found = await asSession(client.listKeys());
        const rows = found.keys.map(({ keyId, preview, createdAt, lastUsedAt, name }) => [
          ...[keyId, preview, createdAt, lastUsedAt ?? 'never'],
          sanitizeLine(name),
        ]);
        answer(found, columns([['KEY ID', 'KEY', 'CREATED', 'LAST USED', 'NAME'], ...rows]));
      }),
    );
  keys
    .command('create')
    .description('Creates an API key and prints it, this once.')
    .argument('<name>', 'what you call it')
    .action(
      attend(async ({ client, printResult: answer, printNote: note }, name: string) => {
        const created = await asSession(client.createKey({ body: { name } }));
        answer(created, created.key);
        note('Keep it now: it cannot be shown again.');
      }),
    );
  keys
    .command('revoke')
    .description('Revokes an API key: the very next request with it is refused.')
    .argument('<key-id>', 'the key, by its id in the list')
    .action(
      attend(async ({ client, printResult: answer }, id: string) => {
        await asSession(client.deleteKey({ params: { id } }));
        answer({ keyId: id, revoked: true }, `Key ${id} is revoked.`);
      }),
    );
  return keys;
};

/** An API key may not manage API keys: a 403 here has one cause and one remedy. */
async function asSession<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    throw new CliError('denied', 'An API key cannot manage API keys.', { hint, cause: error });
  }
}
