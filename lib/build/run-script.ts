import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { root } from './paths.ts';

/**
 * Runs a script with this Node in the project's root and discards its stdout.
 *
 * @throws Error with the script's stderr if it exits with another code than 0
 */
export async function runScript(args: readonly string[], env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [stderr, exitCode] = await Promise.all([text(child.stderr), exited]);
  if (exitCode !== 0) throw new Error(stderr.trim() || `${args[0]} exited with code ${exitCode}`);
}
