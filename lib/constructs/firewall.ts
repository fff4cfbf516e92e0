import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

export type AddressRateLimitProps = {
  /** Stage and region: the firewalls of all regions are in us-east-1. */
  name: string;
  /** Per five minutes. */
  requestsPerAddress: number;
};

/** A WAF rule that answers 429 to an IP address while it exceeds its request rate. */
export class AddressRateLimit extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, { name, requestsPerAddress }: AddressRateLimitProps) {
    super(scope, id);
    const { attrArn } = new CfnWebACL(this, 'Firewall', {
      name: name,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visibility(name),
      rules: [
        {
          name: 'requests-per-address',
          priority: 0,
          action: { block: { customResponse: { responseCode: 429 } } },
          statement: {
            rateBasedStatement: {
              aggregateKeyType: 'IP',
              evaluationWindowSec: 300,
              limit: requestsPerAddress,
            },
          },
          visibilityConfig: visibility(`${name}-requests-per-address`),
        },
      ],
    });
    this.arn = attrArn;
  }
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true, metricName };
}
