import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from './paths.ts';

/**
 * Runs the CDK app as its command line would, without starting that: context from cdk.json, one stage, one folder.
 *
 * @throws Error with what the app wrote to stderr
 */
export async function runApp({
  stage,
  outDirectory,
}: {
  stage: string;
  outDirectory: string;
}): Promise<void> {
  const { context } = JSON.parse(await readFile(path.join(root, 'cdk.json'), 'utf8'));
  const app = spawn(process.execPath, [path.join(root, 'lib/app.ts')], {
    cwd: root,
    env: {
      ...process.env,
      CDK_OUTDIR: outDirectory,
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, stage }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    app.once('error', reject);
    app.once('close', resolve);
  });
  const [complaint, exitCode] = await Promise.all([text(app.stderr), exited]);
  if (exitCode !== 0) throw new Error(complaint.trim() || `The CDK app ended with code ${exitCode}`);
}
