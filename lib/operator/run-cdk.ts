import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { root } from '../build/paths.ts';

/**
 * Runs the command line of the CDK in the project's root, which prints to this terminal.
 *
 * @throws Error if it fails
 */
export async function runCdk(...args: string[]): Promise<void> {
  const program = path.join(root, 'node_modules/aws-cdk/bin/cdk');
  const [exitCode] = await once(spawn(process.execPath, [program, ...args], { cwd: root, stdio: 'inherit' }), 'exit');
  if (exitCode !== 0) throw new Error(`"cdk ${args.join(' ')}" failed: see the lines above.`);
}
