/** Prices in US dollars for US East (N. Virginia), without free tiers and volume discounts. */
export type Price = { dollars: number; per: string; source: string };

/** The region of the prices. Those of other regions are not known, so a stage there reckons with these. */
export const pricesRegion = 'us-east-1';

export const pricesReadOn = '2026-11-21';

const aws = "AWS's price list in the golden files of Infracost, state of 2026-08-21";
const undated = 'aws.amazon.com/xray/pricing, in a stored copy without a date: unverified';
const unverified = 'aws.amazon.com/fargate/pricing and /vpc/pricing as remembered: unverified';
const notFound = 'no dated source found: unverified';

const price = (dollars: number, per: string, source = aws): Price => ({ dollars, per, source });

/** Each price with its unit and source. */
export const prices = {
  lambdaArm: price(0.0000133334, 'GB-second of Lambda on arm64'),
  lambdaX86: price(0.0000166667, 'GB-second of Lambda on x86_64'),
  lambdaRequest: price(0.2 / 1e6, 'invocation'),
  lambdaDisk: price(0.0000000309, 'GB-second of /tmp above 0.5 GB'),
  fargateCpuArm: price(0.03238 / 3600, 'vCPU-second of Fargate on arm64', unverified),
  fargateCpuX86: price(0.04048 / 3600, 'vCPU-second of Fargate on x86_64', unverified),
  fargateMemoryArm: price(0.00356 / 3600, 'GB-second of Fargate on arm64', unverified),
  fargateMemoryX86: price(0.004445 / 3600, 'GB-second of Fargate on x86_64', unverified),
  fargateDisk: price(0.000111 / 3600, 'GB-second of ephemeral storage of Fargate above 20 GB', unverified),
  publicAddress: price(0.005 / 3600, 'second of a public IPv4 address', unverified),
  apiRequest: price(1 / 1e6, 'request of API Gateway (HTTP API)'),
  cloudFrontRequest: price(1 / 1e6, 'HTTPS request of CloudFront in North America'),
  tableWrite: price(0.625 / 1e6, 'write unit of DynamoDB on demand'),
  tableRead: price(0.125 / 1e6, 'read unit of DynamoDB on demand'),
  queueRequest: price(0.4 / 1e6, 'request of SQS (standard queue)'),
  transition: price(0.025 / 1e3, 'transition of Step Functions (standard)'),
  busEvent: price(1 / 1e6, 'event of a bus of EventBridge'),
  filePut: price(0.005 / 1e3, 'PUT of S3'),
  fileGet: price(0.0004 / 1e3, 'GET or HEAD of S3'),
  fileMonth: price(0.023, 'GB and month of S3'),
  transferOut: price(0.09, 'GB from S3 to the internet'),
  logs: price(0.5, 'GB of CloudWatch Logs'),
  trace: price(5 / 1e6, 'trace of X-Ray', undated),
  imageMonth: price(0.1, 'GB and month of ECR'),
  alarm: price(0.1, 'metric of an alarm and month'),
  dashboard: price(3, 'dashboard of CloudWatch and month'),
  metric: price(0.3, 'custom metric and month', notFound),
  firewall: price(6, 'firewall with one rule and month (AWS WAF)'),
} as const satisfies Record<string, Price>;
