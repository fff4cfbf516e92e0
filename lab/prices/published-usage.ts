import type { PriceName } from '../../core/pricing/prices.ts';

/** Where AWS's price list has a price: the offer, and the usage type without the prefix of its region, such as `EUC1-`. */
export type PublishedUsage = {
  offer: string;
  usageType: string;
};

/** The prices whose usage type is known, and has one price in a region. */
export const publishedUsage = {
  lambdaArm: { offer: 'AWSLambda', usageType: 'Lambda-GB-Second-ARM' },
  lambdaX86: { offer: 'AWSLambda', usageType: 'Lambda-GB-Second' },
  lambdaRequest: { offer: 'AWSLambda', usageType: 'Request' },
  lambdaDisk: { offer: 'AWSLambda', usageType: 'Lambda-Storage-GB-Second' },
  fargateCpuArm: { offer: 'AmazonECS', usageType: 'Fargate-ARM-vCPU-Hours:perCPU' },
  fargateCpuX86: { offer: 'AmazonECS', usageType: 'Fargate-vCPU-Hours:perCPU' },
  fargateMemoryArm: { offer: 'AmazonECS', usageType: 'Fargate-ARM-GB-Hours' },
  fargateMemoryX86: { offer: 'AmazonECS', usageType: 'Fargate-GB-Hours' },
  fargateDisk: { offer: 'AmazonECS', usageType: 'Fargate-EphemeralStorage-GB-Hours' },
  publicAddress: { offer: 'AmazonVPC', usageType: 'PublicIPv4:InUseAddress' },
  apiRequest: { offer: 'AmazonApiGateway', usageType: 'ApiGatewayHttpRequest' },
  tableWrite: { offer: 'AmazonDynamoDB', usageType: 'WriteRequestUnits' },
  tableRead: { offer: 'AmazonDynamoDB', usageType: 'ReadRequestUnits' },
  transition: { offer: 'AmazonStates', usageType: 'StateTransition' },
  filePut: { offer: 'AmazonS3', usageType: 'Requests-Tier1' },
  fileGet: { offer: 'AmazonS3', usageType: 'Requests-Tier2' },
  fileMonth: { offer: 'AmazonS3', usageType: 'TimedStorage-ByteHrs' },
  logs: { offer: 'AmazonCloudWatch', usageType: 'DataProcessing-Bytes' },
  alarm: { offer: 'AmazonCloudWatch', usageType: 'CW:AlarmMonitorUsage' },
  metric: { offer: 'AmazonCloudWatch', usageType: 'CW:MetricMonitorUsage' },
  trace: { offer: 'AWSXRay', usageType: 'XRay-TracesStored' },
  imageMonth: { offer: 'AmazonECR', usageType: 'TimedStorage-ByteHrs' },
} as const satisfies Partial<Record<PriceName, PublishedUsage>>;

export type PublishedName = keyof typeof publishedUsage;

export const publishedNames = Object.keys(publishedUsage) as PublishedName[];

/** The address of AWS's price list of a service in a region. It needs no credentials. */
export function offerUrl(offer: string, region: string): string {
  return `https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/${offer}/current/${region}/index.json`;
}
