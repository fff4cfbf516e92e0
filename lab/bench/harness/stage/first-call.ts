import { createJobSandbox } from './create-job-sandbox.ts';
import type { HostedStage } from './hosted-stage.ts';

/**
 * Starts a sandbox of create-job from the code in a folder, submits one job to it, and ends it. Returns the milliseconds
 * from the start of its process to the answer.
 */
export async function firstCall(stage: HostedStage, codeDirectory: string): Promise<number> {
  const start = await createJobSandbox(stage, { codeDirectory, logStream: 'bench' });
  const startedAt = performance.now();
  await using sandbox = await start();
  await sandbox.submit();
  return performance.now() - startedAt;
}
