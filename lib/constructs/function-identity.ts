import { RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, type FunctionOptions, LoggingFormat, RecursiveLoop, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acknowledgeWildcard } from '../acknowledge-findings.ts';
import { namePrefix } from '../names.ts';
import { divideCapacity } from '../settings/capacity.ts';
import { ownerLimitsOf } from '../settings/owner-limits.ts';
import type { Settings } from '../settings/settings.ts';

/** The name, log group and role of a function. The role may write to that log group only. */
export class FunctionIdentity extends Construct {
  readonly functionName: string;
  readonly logGroup: LogGroup;
  readonly role: Role;

  constructor(scope: Construct, id: string, { name, settings }: { name: string; settings: Settings }) {
    super(scope, id);
    this.functionName = `${namePrefix(settings.stage)}-${name}`;
    this.logGroup = logGroup(this, 'Logs', { ...settings, name: `/aws/lambda/${this.functionName}` });
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(this.role);
    acknowledgeWildcard(this.role, '*', 'X-Ray does not support resource-level permissions for traces.');
  }
}

/** A log group that goes with its stack. */
export function logGroup(
  scope: Construct,
  id: string,
  { logRetentionDays, name }: Pick<Settings, 'logRetentionDays'> & { name?: string },
): LogGroup {
  const [retention, removalPolicy] = [logRetentionDays, RemovalPolicy.DESTROY];
  return new LogGroup(scope, id, { logGroupName: name, retention, removalPolicy });
}

/** Lambda properties that all functions share. */
export function commonFunctionProps(identity: FunctionIdentity, settings: Settings) {
  return {
    functionName: identity.functionName,
    role: identity.role,
    logGroup: identity.logGroup,
    // JSON also makes platform logs searchable: time-outs, memory, failed starts.
    loggingFormat: LoggingFormat.JSON,
    architecture: settings.architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
    tracing: Tracing.ACTIVE,
    environment: functionEnvironment(settings),
  };
}

/** Regions without loop detection. They have no API for its setting either, so that a function with it could not be created. */
const withoutLoopDetection = /^(us-gov-.+|mx-central-1|ap-southeast-6)$/;

/**
 * Lets chains of requests be as long as a backlog: the end of a job wakes a worker for the next one, which invokes open-job, and
 * that sends messages too; the end of a delivery to a slow receiver begins the next. Each needs a job or a delivery that has
 * ended, so that no loop is endless.
 */
export function inChains({ region = '' }: Settings): Pick<FunctionOptions, 'recursiveLoop'> {
  return withoutLoopDetection.test(region) ? {} : { recursiveLoop: RecursiveLoop.ALLOW };
}

/** The environment of every function and of Fargate tasks. */
export function functionEnvironment(settings: Settings): Record<string, string> {
  // The local stage reads inputs from this machine, and sends webhooks to it.
  const isLocal = settings.stage === 'local';
  return {
    STAGE: settings.stage,
    TENANCY: settings.tenancy,
    // The maximum concurrency of the event source mapping of transcode.
    WORKERS: String(divideCapacity(settings).workers),
    OWNER_LIMITS: JSON.stringify(ownerLimitsOf(settings)),
    WEBHOOK_SCHEMES: isLocal ? 'https,http' : 'https',
    REACHABLE_PRIVATE_ADDRESSES: isLocal ? 'localhost:*' : '',
  };
}
