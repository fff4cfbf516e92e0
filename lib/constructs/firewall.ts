import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

/** Maximum requests within five minutes. */
export type FirewallProps = {
  /** Stage and region: the firewalls of all regions are in us-east-1. */
  name: string;
  requestsPerAddress: number | undefined;
  requestsPerCredential: number | undefined;
};

/** The headers that carry a credential. A request without the header does not count towards its rule. */
const credentialHeaders = ['authorization', 'x-api-key'];

/** Viewers behind one address request a segment every few seconds each: their token is verified instead. */
const scopeDownStatement: CfnWebACL.StatementProperty = {
  notStatement: {
    statement: {
      byteMatchStatement: {
        fieldToMatch: { uriPath: {} },
        positionalConstraint: 'STARTS_WITH',
        searchString: '/play/',
        textTransformations: [{ priority: 0, type: 'NONE' }],
      },
    },
  },
};

/** An AWS WAF that answers 429 to an IP address, or to a credential, while it exceeds its request rate. */
export class Firewall extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, props: FirewallProps) {
    super(scope, id);
    const { name, requestsPerAddress, requestsPerCredential } = props;
    const { attrArn } = new CfnWebACL(this, 'Firewall', {
      name,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visibility(name),
      rules: [
        ...(requestsPerAddress === undefined
          ? []
          : [
              rateRule('requests-per-address', {
                aggregateKeyType: 'IP',
                limit: requestsPerAddress,
                scopeDownStatement,
              }),
            ]),
        ...(requestsPerCredential === undefined
          ? []
          : credentialHeaders.map((header) =>
              rateRule(`requests-per-${header}`, {
                aggregateKeyType: 'CUSTOM_KEYS',
                customKeys: [{ header: { name: header, textTransformations: [{ priority: 0, type: 'LOWERCASE' }] } }],
                limit: requestsPerCredential,
              }),
            )),
      ].map((rule, priority) => ({ ...rule, priority, visibilityConfig: visibility(`${name}-${rule.name}`) })),
    });
    this.arn = attrArn;
  }
}

function rateRule(name: string, statement: CfnWebACL.RateBasedStatementProperty) {
  return {
    name,
    action: { block: { customResponse: { responseCode: 429 } } },
    statement: { rateBasedStatement: { evaluationWindowSec: 300, ...statement } },
  };
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true, metricName };
}
