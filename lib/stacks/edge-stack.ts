import { CfnDeletionPolicy, type CfnResource, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Construct } from 'constructs';
import { AccountBudget } from '../constructs/account-budget.ts';
import { certificateOf } from '../constructs/domain.ts';
import { Firewall } from '../constructs/firewall.ts';
import { namePrefix } from '../names.ts';
import { hasFirewall, needsDistribution } from '../settings/edge.ts';
import { needsGlobalBudget } from '../settings/regions.ts';
import type { Settings } from '../settings/settings.ts';

export type EdgeStackProps = StackProps & { settings: Settings };

/**
 * What is in us-east-1, wherever the stage is: certificate and firewall, which CloudFront accepts from there only, and the
 * budget of a region that has none.
 */
export class EdgeStack extends Stack {
  readonly certificate: ICertificate | undefined;
  readonly webAclArn: string | undefined;

  constructor(scope: Construct, id: string, { settings, ...props }: EdgeStackProps) {
    super(scope, id, {
      description: `Media jobs, stage ${settings.stage}: certificate, firewall and budget`,
      ...props,
    });
    const { requestsPerAddress, requestsPerCredential } = settings.edge;
    if (needsGlobalBudget(settings)) new AccountBudget(this, 'AccountBudget', settings);
    if (settings.domain !== undefined && needsDistribution(settings)) {
      const certificate = certificateOf(this, settings.domain);
      // A replaced certificate stays in use until `service` is deployed, and cannot be deleted before.
      certificate.applyRemovalPolicy(RemovalPolicy.DESTROY);
      (certificate.node.defaultChild as CfnResource).cfnOptions.updateReplacePolicy = CfnDeletionPolicy.RETAIN;
      this.certificate = certificate;
    }
    if (hasFirewall(settings.edge)) {
      const { stage, region } = settings;
      const { arn } = new Firewall(this, 'Firewall', {
        name: `${namePrefix(stage)}-${region}`,
        requestsPerAddress,
        requestsPerCredential,
      });
      this.webAclArn = arn;
    }
  }
}
