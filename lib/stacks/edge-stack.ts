import { RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { Certificate, CertificateValidation, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import { Firewall } from '../constructs/firewall.ts';
import { namePrefix } from '../names.ts';
import { type EdgeSettings, hasFirewall } from '../settings/edge.ts';
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
    const { domain, requestsPerAddress, requestsPerCredential } = settings.edge;
    this.certificate = domain && certificateOf(this, domain);
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

function certificateOf(scope: Construct, { name, hostedZone }: NonNullable<EdgeSettings['domain']>) {
  const zone =
    hostedZone &&
    HostedZone.fromHostedZoneAttributes(scope, 'Zone', {
      hostedZoneId: hostedZone.id,
      zoneName: hostedZone.name,
    });
  const certificate = new Certificate(scope, 'Certificate', {
    domainName: name,
    validation: CertificateValidation.fromDns(zone),
  });
  // A replaced or removed certificate stays in use until `service` is deployed, and cannot be deleted before.
  certificate.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  return certificate;
}
