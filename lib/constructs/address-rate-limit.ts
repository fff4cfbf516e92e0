import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

export type AddressRateLimitProps = {
  /** Of the stage and its region: all of them stand in us-east-1. */
  name: string;
  /** Within five minutes. */
  requestsPerAddress: number;
};

/** A firewall that turns away an address for as long as it sends more requests than it may. */
export class AddressRateLimit extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, { name, requestsPerAddress }: AddressRateLimitProps) {
    super(scope, id);
    const { attrArn } = new CfnWebACL(this, 'Firewall', {
      name: `${name}-media-jobs`,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: measuredAs(`${name}-media-jobs`),
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
          visibilityConfig: measuredAs(`${name}-requests-per-address`),
        },
      ],
    });
    this.arn = attrArn;
  }
}

function measuredAs(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true, metricName };
}
