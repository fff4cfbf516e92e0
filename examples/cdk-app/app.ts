import { MediaJobs } from '@media-jobs/cdk';
import { App, CfnOutput, Stack } from 'aws-cdk-lib';

const app = new App();
const shop = new Stack(app, 'Shop', { env: { account: '123456789012', region: 'eu-central-1' } });
const media = new MediaJobs(shop, 'Media', {
  stage: 'prod',
  alarmEmail: 'ops@example.com',
  buckets: [{ name: 'footage', bucket: 'shop-footage', access: 'read' }],
});
new CfnOutput(shop, 'MediaJobsUrl', { value: media.url });
