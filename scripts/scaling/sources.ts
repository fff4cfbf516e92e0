/** Source of each limit, and its text. */
export const sources: Readonly<Record<string, { url: string; text: string }>> = {
  api: {
    url: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html',
    text: '10,000 requests a second an account and region; 2,500 in the regions that it lists',
  },
  lambda: {
    url: 'https://github.com/awsdocs/aws-lambda-developer-guide/blob/main/doc_source/gettingstarted-limits.md',
    text: '1,000 concurrent executions, ten times as many synchronous requests a second: an archived copy',
  },
  mapping: {
    url: 'https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html',
    text: 'maximum concurrency from 2 to 1,000; 5 batches at first, 300 more a minute; or provisioned mode: up to 2,000 pollers of ten invocations each, 1,000 more a minute',
  },
  scaling: {
    url: 'https://docs.amazonaws.cn/en_us/lambda/latest/dg/scaling-behavior.html',
    text: '1,000 more environments every 10 seconds for each function',
  },
  states: {
    url: 'https://github.com/awsdocs/aws-step-functions-developer-guide/blob/main/doc_source/limits-overview.md',
    text: 'StartExecution 1,300 at once and 300 a second, elsewhere 800 and 150; transitions 5,000 and 1,500, elsewhere 800 and 500; DescribeExecution 300 and 15, elsewhere 250 and 10; SendTaskSuccess and SendTaskFailure 3,000 and 500 each, elsewhere 1,500 and 300: an archived copy, so newer quotas may be higher',
  },
  events: {
    url: 'https://github.com/awsdocs/amazon-eventbridge-user-guide/blob/main/doc_source/eb-quota.md',
    text: 'PutEvents 10,000 to 400 a second by region: an archived copy',
  },
  partition: {
    url: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html',
    text: 'a partition takes 1,000 write units and 3,000 read units a second',
  },
  table: {
    url: 'https://github.com/awsdocs/amazon-dynamodb-developer-guide/blob/master/doc_source/ServiceQuotas.md',
    text: '40,000 write units a second for a table with its indexes: an archived copy',
  },
  'new table': {
    url: 'https://docs.amazonaws.cn/en_us/amazondynamodb/latest/developerguide/pre-warming-on-demand-capacity-mode.html',
    text: 'a new table takes 4,000 writes and 12,000 reads a second, and twice its last peak',
  },
  s3: {
    url: 'https://repost.aws/knowledge-center/s3-object-key-naming-pattern',
    text: '3,500 PUT and 5,500 GET a second for each prefix',
  },
  sqs: {
    url: 'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html',
    text: 'any number of messages in a queue, about 120,000 of them in flight',
  },
};
