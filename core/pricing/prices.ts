/** Prices in US dollars for US East (N. Virginia), without free tiers and volume discounts. */
export type Price = {
  dollars: number;
  per: string;
  source: string;
  /** The price does not depend on the region of the stage. */
  everywhere?: true;
};

/** The region of the prices below; `pricesOf` has those of others. */
export const pricesRegion = 'us-east-1';

export const pricesReadOn = '2026-11-21';

const aws = "AWS's price list in the golden files of Infracost, state of 2026-08-21";
const xray = 'aws.amazon.com/xray/pricing, in a stored copy without a date: unverified';
const fairQueues = 'cloudburn.io/blog/amazon-sqs-pricing of 2026-03-14';
/** The source of the other regions too: see `region-prices.json`. */
const copy = (publishedOn: string) => `AWS's price file of ${publishedOn}, in a copy of 2025-11-04`;
const fargate = copy('2025-10-27');

/** The day of the price of Spot, which follows supply and demand. */
export const spotReadOn = '2026-09-28';
const spotFeed = `AWS's feed of Fargate Spot prices of ${spotReadOn}, as quoted in a public repository`;

const price = (dollars: number, per: string, source = aws): Price => ({ dollars, per, source });
const everywhere = (dollars: number, per: string) => ({ ...price(dollars, per), everywhere: true as const });

export const prices = {
  lambdaArm: price(0.0000133334, 'GB-second of Lambda on arm64'),
  lambdaX86: price(0.0000166667, 'GB-second of Lambda on x86_64'),
  lambdaRequest: price(0.2 / 1e6, 'invocation'),
  lambdaDisk: price(0.0000000309, 'GB-second of /tmp above 0.5 GB'),
  fargateCpuArm: price(0.03238, 'vCPU-hour of Fargate on arm64', fargate),
  fargateCpuX86: price(0.04048, 'vCPU-hour of Fargate on x86_64', fargate),
  fargateMemoryArm: price(0.00356, 'GB-hour of Fargate on arm64', fargate),
  fargateMemoryX86: price(0.004445, 'GB-hour of Fargate on x86_64', fargate),
  fargateSpot: price(0.3184, 'dollar on demand of vCPUs and memory of Fargate, in Spot capacity', spotFeed),
  fargateDisk: price(0.000111, 'GB-hour of ephemeral storage of Fargate above 20 GB', fargate),
  publicAddress: price(0.005, 'hour of a public IPv4 address', copy('2025-11-04')),
  apiRequest: price(1 / 1e6, 'request of API Gateway (HTTP API)'),
  cloudFrontRequest: everywhere(1 / 1e6, 'HTTPS request of CloudFront in North America'),
  tableWrite: price(0.625 / 1e6, 'write unit of DynamoDB on demand'),
  tableRead: price(0.125 / 1e6, 'read unit of DynamoDB on demand'),
  queueRequest: price(0.4 / 1e6, 'request of SQS (standard queue)'),
  /** Surcharge of fair queues since July 2025. */
  messageGroup: {
    ...price(0.1 / 1e6, 'request with a message group of a standard queue of SQS, besides', fairQueues),
    everywhere: true as const,
  },
  fifoQueueRequest: price(0.5 / 1e6, 'request of SQS (FIFO queue)'),
  transition: price(0.025 / 1e3, 'transition of Step Functions (standard)'),
  busEvent: price(1 / 1e6, 'event of a bus of EventBridge'),
  filePut: price(0.005 / 1e3, 'PUT of S3'),
  fileGet: price(0.0004 / 1e3, 'GET or HEAD of S3'),
  fileMonth: price(0.023, 'GB and month of S3'),
  transferOut: price(0.09, 'GB from S3 to the internet'),
  logs: price(0.5, 'GB of CloudWatch Logs'),
  trace: price(5 / 1e6, 'trace of X-Ray', xray),
  imageMonth: price(0.1, 'GB and month of ECR'),
  alarm: price(0.1, 'metric of an alarm and month'),
  dashboard: everywhere(3, 'dashboard of CloudWatch and month'),
  metric: price(0.3, 'custom metric and month', copy('2025-09-23')),
  firewall: everywhere(6, 'firewall with one rule and month (AWS WAF)'),
} as const satisfies Record<string, Price>;

export type PriceName = keyof typeof prices;
