import { App, DefaultStackSynthesizer } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { namePrefix } from './names.ts';
import { needsEdgeStack } from './settings/edge.ts';
import { EdgeStack } from './stacks/edge-stack.ts';
import { ImageStack } from './stacks/image-stack.ts';
import { ServiceStack, type ServiceStackProps } from './stacks/service-stack.ts';
import { StatefulStack } from './stacks/stateful-stack.ts';

export type Stage = Pick<ServiceStackProps, 'settings' | 'contracts' | 'buildDirectory' | 'dashboardDirectory'>;

/** The stacks of a stage, in an app or below any construct of another one. */
export function stageStacks(
  scope: Construct,
  { settings, contracts, buildDirectory, dashboardDirectory }: Stage,
): { stateful: StatefulStack; service: ServiceStack; edge: EdgeStack | undefined } {
  const prefix = namePrefix(settings.stage);
  const env = { account: settings.account, region: settings.region };
  // The CDK CLI checks the bootstrap version. Without the rule a template contains resources only. Another app has its own.
  const synthesizer = () =>
    App.isApp(scope) && { synthesizer: new DefaultStackSynthesizer({ generateBootstrapVersionRule: false }) };
  const stateful = new StatefulStack(scope, 'stateful', {
    stackName: `${prefix}-stateful`,
    ...synthesizer(),
    terminationProtection: true,
    env,
    settings,
  });
  const edge = needsEdgeStack(settings)
    ? new EdgeStack(scope, 'edge', {
        // Edge stacks of all regions are in us-east-1: the region separates those of the same stage.
        stackName: `${prefix}-edge-${settings.region}`,
        ...synthesizer(),
        env: { ...env, region: 'us-east-1' },
        settings,
      })
    : undefined;
  const service = new ServiceStack(scope, 'service', {
    stackName: `${prefix}-service`,
    ...synthesizer(),
    env,
    settings,
    contracts,
    buildDirectory,
    dashboardDirectory,
    certificate: edge?.certificate,
    webAclArn: edge?.webAclArn,
  });
  service.addStackDependency(stateful, 'The service references the table and the bucket by name');
  return { stateful, service, edge };
}

/** The stack that builds the image of the workers, in an app of its own. */
export function imageStack(
  app: App,
  { settings, buildDirectory }: Pick<Stage, 'settings' | 'buildDirectory'>,
): ImageStack {
  return new ImageStack(app, 'image', {
    stackName: `${namePrefix(settings.stage)}-image`,
    env: { account: settings.account, region: settings.region },
    settings,
    buildDirectory,
  });
}
