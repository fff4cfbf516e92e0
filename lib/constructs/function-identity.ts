import { RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acknowledgeWildcard } from '../acknowledge-findings.ts';
import type { Settings } from '../settings/settings.ts';

/** A function's name, its log group, and a role of its own that may write those logs and nothing else. */
export class FunctionIdentity extends Construct {
  readonly functionName: string;
  readonly logGroup: LogGroup;
  readonly role: Role;

  constructor(scope: Construct, id: string, { name, settings }: { name: string; settings: Settings }) {
    super(scope, id);
    this.functionName = `${settings.stage}-${name}`;
    this.logGroup = new LogGroup(this, 'Logs', {
      logGroupName: `/aws/lambda/${this.functionName}`,
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(this.role);
    acknowledgeWildcard(
      this.role,
      '*',
      'X-Ray takes traces of no resource in particular: AWS knows no narrower one.',
    );
  }
}
