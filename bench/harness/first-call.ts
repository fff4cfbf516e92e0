import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../lib/build/synthesize.ts';
import { startSandbox } from '../../local/lambda/sandbox.ts';
import { readAssembly } from '../../local/template/assembly.ts';
import { planStage } from '../../local/template/stage-plan.ts';
import type { HostedStage } from './hosted-stage.ts';
import { jobRequest } from './job-request.ts';

/**
 * Starts a sandbox of create-job from the code in a folder, submits one job to it, and ends it. Returns the milliseconds
 * from the start of its process to the answer.
 */
export async function firstCall(stage: HostedStage, codeDirectory: string): Promise<number> {
  const plan = await planOfCreateJob(stage);
  const temporaryDirectory = await mkdtemp(join(tmpdir(), 'bench-sandbox-'));
  const startedAt = performance.now();
  const sandbox = await startSandbox({
    plan: { ...plan, code: { ...plan.code, directory: codeDirectory } },
    endpoints: stage.endpoints,
    temporaryDirectory,
    logStream: 'bench',
    log: () => undefined,
  });
  try {
    const result = await sandbox.invoke('first-call', JSON.stringify(submission(stage)));
    const took = performance.now() - startedAt;
    if (!result.ok) throw new Error(`The function failed: ${result.error.errorMessage}`);
    const { statusCode } = JSON.parse(result.payload);
    if (statusCode !== 201) throw new Error(`The function did not submit a job: ${result.payload}`);
    return took;
  } finally {
    sandbox.kill();
    await sandbox.ended;
    await rm(temporaryDirectory, { recursive: true, force: true });
  }
}

async function planOfCreateJob({ endpoints }: HostedStage) {
  const { assemblyDirectory } = await synthesize({ stage: 'local' });
  const { functions } = planStage(await readAssembly(assemblyDirectory), endpoints);
  const plan = functions.find(({ name }) => name.endsWith('create-job'));
  if (plan === undefined) throw new Error('The template has no function that creates jobs');
  return plan;
}

/** The event of the gateway for a job that is submitted. */
function submission({ apiKey }: HostedStage): object {
  return {
    version: '2.0',
    routeKey: 'POST /api/v1/jobs',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    requestContext: { http: { method: 'POST', path: '/api/v1/jobs' } },
    body: JSON.stringify(jobRequest),
    isBase64Encoded: false,
  };
}
