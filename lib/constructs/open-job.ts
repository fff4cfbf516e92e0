import { ArnPrincipal, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { BundledFunction, type StageCode } from './bundled-function.ts';

/**
 * The function that gives a worker the credentials of one job, and their role. Grants are separate: its policy names the
 * tags of the session.
 */
export class OpenJob extends Construct {
  readonly lambda: BundledFunction['lambda'];
  readonly jobRole: Role;

  constructor(scope: Construct, id: string, { settings, buildDirectory }: StageCode) {
    super(scope, id);
    this.lambda = new BundledFunction(this, {
      name: 'open-job',
      buildDirectory,
      settings,
      memoryMb: 1024,
      timeoutSeconds: 30,
      isInChains: true,
    }).lambda;
    const { role } = this.lambda;
    if (role === undefined) throw new Error('A function of the stage has a role');
    this.jobRole = new Role(this, 'TranscodeJob', { assumedBy: new ArnPrincipal(role.roleArn).withSessionTags() });
    this.lambda.addEnvironment('JOB_ROLE_ARN', this.jobRole.roleArn);
    this.lambda.addToRolePolicy(
      new PolicyStatement({ actions: ['sts:AssumeRole', 'sts:TagSession'], resources: [this.jobRole.roleArn] }),
    );
  }
}
