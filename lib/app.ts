import { App } from 'aws-cdk-lib';
import { contracts } from '../core/api/registry.ts';
import { buildDirectory, dashboardDirectory } from './build/paths.ts';
import { readSettings, SettingsError } from './settings/read-settings.ts';
import { imageStack, stageStacks } from './stage-stacks.ts';

const app = new App({ analyticsReporting: false });
try {
  const settings = readSettings(app.node.tryGetContext('stages'), app.node.tryGetContext('stage') ?? 'dev', {
    // The CDK CLI sets both from the current credentials. A region decides about access logs, and CloudFormation adopts
    // existing resources by names without references only.
    account: process.env.CDK_DEFAULT_ACCOUNT || undefined,
    region: process.env.CDK_DEFAULT_REGION || undefined,
    // `npm run deploy -- --build remote` has built this image by the stack `image`.
    image: app.node.tryGetContext('image'),
  });
  if (app.node.tryGetContext('build') === 'remote') imageStack(app, { settings, buildDirectory });
  else stageStacks(app, { settings, contracts, buildDirectory, dashboardDirectory });
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(error.message);
  process.exit(1);
}
