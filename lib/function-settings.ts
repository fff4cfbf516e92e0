import { Architecture, LoggingFormat, Tracing } from 'aws-cdk-lib/aws-lambda';
import packageManifest from '../package.json' with { type: 'json' };
import type { FunctionIdentity } from './constructs/function-identity.ts';
import type { Settings } from './settings/settings.ts';

/** What every function has in common, as properties of a Lambda function. */
export function commonFunctionProps(identity: FunctionIdentity, settings: Settings) {
  return {
    functionName: identity.functionName,
    role: identity.role,
    logGroup: identity.logGroup,
    // So that also what the platform says of a run can be searched: time-outs, memory, starts that failed.
    loggingFormat: LoggingFormat.JSON,
    architecture: settings.architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
    tracing: Tracing.ACTIVE,
    environment: {
      STAGE: settings.stage,
      SERVICE_VERSION: packageManifest.version,
      WEBHOOK_SCHEMES: settings.webhooks.schemes.join(','),
      REACHABLE_PRIVATE_ADDRESSES: settings.reachablePrivateAddresses.join(','),
    },
  };
}
