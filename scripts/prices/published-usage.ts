import type { prices } from '../../core/pricing/prices.ts';

export type PriceName = keyof typeof prices;

/** Where AWS's price list has a price: the offer, and the usage type without the prefix of its region, such as `EUC1-`. */
export type PublishedUsage = {
  offer: string;
  usageType: string;
};

/** The prices that a job depends on and whose usage type is known. */
export const publishedUsage: Readonly<Partial<Record<PriceName, PublishedUsage>>> = {
  lambdaArm: { offer: 'AWSLambda', usageType: 'Lambda-GB-Second-ARM' },
  lambdaX86: { offer: 'AWSLambda', usageType: 'Lambda-GB-Second' },
  lambdaRequest: { offer: 'AWSLambda', usageType: 'Request' },
  tableWrite: { offer: 'AmazonDynamoDB', usageType: 'WriteRequestUnits' },
  tableRead: { offer: 'AmazonDynamoDB', usageType: 'ReadRequestUnits' },
  transition: { offer: 'AmazonStates', usageType: 'StateTransition' },
  filePut: { offer: 'AmazonS3', usageType: 'Requests-Tier1' },
  fileGet: { offer: 'AmazonS3', usageType: 'Requests-Tier2' },
  fileMonth: { offer: 'AmazonS3', usageType: 'TimedStorage-ByteHrs' },
};
