import { RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Construct } from 'constructs';
import { certificateOf } from '../constructs/domain.ts';
import { Firewall } from '../constructs/firewall.ts';
import { namePrefix } from '../names.ts';
import { hasFirewall } from '../settings/edge.ts';
import type { Settings } from '../settings/settings.ts';

export type EdgeStackProps = StackProps & { settings: Settings };

/** Certificate and firewall of the distribution. CloudFront accepts both from us-east-1 only. */
export class EdgeStack extends Stack {
  readonly certificate: ICertificate | undefined;
  readonly webAclArn: string | undefined;

  constructor(scope: Construct, id: string, { settings, ...props }: EdgeStackProps) {
    super(scope, id, {
      description: `Media jobs, stage ${settings.stage}: certificate and firewall`,
      ...props,
    });
    const { requestsPerAddress, requestsPerCredential } = settings.edge;
    if (settings.domain !== undefined) {
      const certificate = certificateOf(this, settings.domain);
      // A replaced or removed certificate stays in use until `service` is deployed, and cannot be deleted before.
      certificate.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
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
