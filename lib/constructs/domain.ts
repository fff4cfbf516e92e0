import { CfnOutput, type CfnResource } from 'aws-cdk-lib';
import { ApiMapping, DomainName, type IHttpApi, type IHttpStage, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { AaaaRecord, ARecord, HostedZone, type IHostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayv2DomainProperties, CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { DomainSettings } from '../settings/domain.ts';

export type DomainProps = {
  settings: DomainSettings;
  api: IHttpApi;
  stage: IHttpStage;
  /** In front of the API, if the stage has one. */
  distribution: Distribution | undefined;
};

/**
 * The stage's own host name: a regional certificate at API Gateway, and the DNS records of the name. With CloudFront the
 * records lead there, and API Gateway keeps the name: a resolver that still knows the earlier records reaches the API.
 */
export class Domain extends Construct {
  constructor(scope: Construct, id: string, { settings, api, stage, distribution }: DomainProps) {
    super(scope, id);
    const zone = zoneOf(this, settings);
    const regional = new DomainName(this, 'Name', {
      domainName: settings.name,
      certificate: certificateOf(this, settings, zone),
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    new ApiMapping(this, 'Mapping', { api, stage, domainName: regional });
    const { regionalDomainName, regionalHostedZoneId } = regional;
    if (zone === undefined) {
      new CfnOutput(this, 'PointTo', {
        value: distribution?.distributionDomainName ?? regionalDomainName,
        description: `Make ${settings.name} a CNAME (or an alias) of this host name`,
      });
      return;
    }
    // The same records with and without CloudFront: others of the same name could not be created beside them.
    const target = RecordTarget.fromAlias(
      distribution === undefined
        ? new ApiGatewayv2DomainProperties(regionalDomainName, regionalHostedZoneId)
        : new CloudFrontTarget(distribution),
    );
    const record = { zone, recordName: `${settings.name}.`, target };
    keepId(new ARecord(this, 'Ipv4', record), 'EdgeDistributionIpv4D9439176');
    if (distribution !== undefined) keepId(new AaaaRecord(this, 'Ipv6', record), 'EdgeDistributionIpv6F4DD2D8D');
  }
}

/** The logical id of earlier versions, whose records belonged to the distribution. */
function keepId({ node }: Construct, logicalId: string): void {
  (node.defaultChild as CfnResource).overrideLogicalId(logicalId);
}

/** A certificate for the name in the stack's region, validated by DNS: in the zone of the settings, or by the operator. */
export function certificateOf(scope: Construct, settings: DomainSettings, zone = zoneOf(scope, settings)): Certificate {
  return new Certificate(scope, 'Certificate', {
    domainName: settings.name,
    certificateName: settings.name,
    validation: CertificateValidation.fromDns(zone),
  });
}

function zoneOf(scope: Construct, { hostedZone }: DomainSettings): IHostedZone | undefined {
  return (
    hostedZone &&
    HostedZone.fromHostedZoneAttributes(scope, 'Zone', { hostedZoneId: hostedZone.id, zoneName: hostedZone.name })
  );
}
