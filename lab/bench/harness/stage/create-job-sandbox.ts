import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '@media-jobs/local-stage/lambda';
import { jobRequest } from '../api/job-request.ts';
import type { HostedStage } from './hosted-stage.ts';

/** A sandbox of create-job, in addition to those of the stage. */
export type CreateJobSandbox = {
  /** Submits a job, by default with the first key of the stage. @throws Error if it is not accepted */
  submit(apiKey?: string): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

type Options = {
  /** The folder of its code; by default that of the template. */
  codeDirectory?: string;
  /** Identifies its process: the value of `AWS_LAMBDA_LOG_STREAM_NAME`. */
  logStream: string;
};

/** Prepares a sandbox; the returned function starts its process. */
export async function createJobSandbox(
  stage: HostedStage,
  { codeDirectory, logStream }: Options,
): Promise<() => Promise<CreateJobSandbox>> {
  const plan = stage.createJob;
  const directory = codeDirectory ?? plan.code.directory;
  const temporaryDirectory = await mkdtemp(join(tmpdir(), 'bench-sandbox-'));
  return async () => {
    const sandbox = await startSandbox({
      plan: { ...plan, code: { ...plan.code, directory } },
      endpoints: stage.endpoints,
      temporaryDirectory,
      logStream,
      log: () => undefined,
    });
    return {
      submit: async (apiKey = stage.apiKey) => {
        const result = await sandbox.invoke({
          requestId: 'submission',
          traceHeader: 'Root=1-submission;Sampled=0',
          payload: JSON.stringify(submission(apiKey)),
        });
        if (!result.ok) throw new Error(`The function failed: ${result.error.errorMessage}`);
        const { statusCode } = JSON.parse(result.payload);
        if (statusCode !== 201) throw new Error(`The function did not submit a job: ${result.payload}`);
      },
      [Symbol.asyncDispose]: async () => {
        sandbox.kill();
        await sandbox.ended;
        await rm(temporaryDirectory, { recursive: true, force: true });
      },
    };
  };
}

/** The API Gateway event of a submitted job. */
function submission(apiKey: string): object {
  return {
    version: '2.0',
    routeKey: 'POST /api/v1/jobs',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    requestContext: { http: { method: 'POST', path: '/api/v1/jobs' } },
    body: JSON.stringify(jobRequest),
    isBase64Encoded: false,
  };
}
