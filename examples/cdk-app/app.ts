import { MediaJobs } from '@media-jobs/cdk';
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';

const app = new App();
const shop = new Stack(app, 'Shop', { env: { account: '123456789012', region: 'eu-central-1' } });

const media = new MediaJobs(shop, 'Media', {
  stage: 'prod',
  alarmEmail: 'ops@example.com',
  buckets: [{ name: 'footage', bucket: 'shop-footage', access: 'read' }],
});

const completed = new Queue(shop, 'CompletedJobs', { enforceSSL: true });
new Rule(shop, 'JobCompleted', {
  eventBus: EventBus.fromEventBusName(shop, 'MediaEvents', media.eventBusName),
  eventPattern: { source: ['media-jobs'], detailType: ['Job Completed'] },
  targets: [new SqsQueue(completed)],
});
new CfnOutput(shop, 'MediaJobsUrl', { value: media.url });
