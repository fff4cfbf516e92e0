import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError } from '../cli-error.ts';
import type { CommandContext } from '../context/command-context.ts';

export const secretVariable = 'MEDIA_JOBS_STORAGE_SECRET';

type SecretSource = Pick<CommandContext, 'environment' | 'workingDirectory' | 'readStandardInput'>;

/**
 * Reads a secret access key from a file, from standard input (`-`), or from the environment. There is no option for the
 * secret itself: it would stay in the shell history and show in process lists.
 *
 * @returns undefined if no source is given
 * @throws CliError `usage` for an empty secret
 */
export async function readSecret(source: SecretSource, secretFile: string | undefined): Promise<string | undefined> {
  if (secretFile === undefined) return source.environment[secretVariable] || undefined;
  const text =
    secretFile === '-'
      ? await source.readStandardInput()
      : await readFile(resolve(source.workingDirectory, secretFile), 'utf8');
  // Editors and `echo` end a text with a line break, which no secret has.
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw new CliError('usage', 'The secret access key is empty.');
  return secret;
}

export async function requireSecret(source: SecretSource, secretFile: string | undefined): Promise<string> {
  const secret = await readSecret(source, secretFile);
  if (secret !== undefined) return secret;
  throw new CliError('usage', 'The secret access key is missing.', {
    hint: `Set ${secretVariable}, or name a file with --secret-file; "-" is standard input.`,
  });
}
