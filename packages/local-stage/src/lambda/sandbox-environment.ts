import { join } from 'node:path';
import { region } from '../aws-names.ts';
import { roleCredentials } from '../permissions/role-credentials.ts';
import type { Endpoints } from '../template/resource-kind.ts';
import type { FunctionPlan } from '../template/stage-plan.ts';

export type SandboxEnvironment = {
  plan: FunctionPlan;
  endpoints: Endpoints;
  /** Host and port of the Runtime API. */
  runtimeApi: string;
  temporaryDirectory: string;
  logStream: string;
};

/**
 * The environment variables of a sandbox: those that Lambda sets, the endpoints of the emulators, and those of the
 * function. Of this machine's own variables only the trusted certificates are passed on.
 */
export function sandboxEnvironment(options: SandboxEnvironment): Record<string, string> {
  const { plan, endpoints } = options;
  const credentials = roleCredentials(plan.roleArn);
  return {
    ...serviceEnvironment(endpoints, options.temporaryDirectory),
    _HANDLER: plan.code.handler,
    LAMBDA_TASK_ROOT: plan.code.directory,
    LAMBDA_RUNTIME_DIR: join(import.meta.dirname),
    AWS_LAMBDA_RUNTIME_API: options.runtimeApi,
    AWS_LAMBDA_FUNCTION_NAME: plan.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(plan.memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${plan.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: options.logStream,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken,
    ...plan.environment,
  };
}

/** What the processes of functions and tasks have in common: region, endpoints of the emulators, folder for `/tmp`. */
export function serviceEnvironment(endpoints: Endpoints, temporaryDirectory: string): Record<string, string> {
  const extraCaCerts = process.env.NODE_EXTRA_CA_CERTS;
  return {
    ...(extraCaCerts === undefined ? {} : { NODE_EXTRA_CA_CERTS: extraCaCerts }),
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    TMPDIR: temporaryDirectory,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE: endpoints.kvs,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_EVENTBRIDGE: endpoints.eventbridge,
    AWS_ENDPOINT_URL_KMS: endpoints.kms,
    AWS_ENDPOINT_URL_LAMBDA: endpoints.lambda,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_ENDPOINT_URL_SFN: endpoints.sfn,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_STS: endpoints.sts,
  };
}
