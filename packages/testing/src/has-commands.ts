import { spawnSync } from 'node:child_process';

/** True if all of these commands are installed. Throws in CI, where nobody would notice skipped tests. */
export function hasCommands(...commands: string[]): boolean {
  const missing = commands.filter((command) => spawnSync(command, ['--version']).status !== 0);
  if (missing.length > 0 && process.env.CI) throw new Error(`Not installed: ${missing.join(', ')}`);
  return missing.length === 0;
}
