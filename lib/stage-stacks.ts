import { type App, DefaultStackSynthesizer } from 'aws-cdk-lib';
import type { Contract } from '../core/api/contract.ts';
import type { Settings } from './settings.ts';
import { ServiceStack } from './stacks/service-stack.ts';
import { StatefulStack } from './stacks/stateful-stack.ts';

/** The stacks of one stage in an app, not yet synthesized. */
export function stageStacks(
  app: App,
  {
    settings,
    contracts,
    buildDirectory,
  }: { settings: Settings; contracts: readonly Contract[]; buildDirectory: string },
): { stateful: StatefulStack; service: ServiceStack } {
  const prefix = `media-jobs-${settings.stage}`;
  const env = {
    ...(settings.account ? { account: settings.account } : {}),
    ...(settings.region ? { region: settings.region } : {}),
  };
  // The CLI checks the bootstrap version itself; without the rule a template holds resources only.
  const synthesizer = () => new DefaultStackSynthesizer({ generateBootstrapVersionRule: false });
  const stateful = new StatefulStack(app, 'stateful', {
    stackName: `${prefix}-stateful`,
    synthesizer: synthesizer(),
    terminationProtection: true,
    env,
    settings,
  });
  const service = new ServiceStack(app, 'service', {
    stackName: `${prefix}-service`,
    synthesizer: synthesizer(),
    env,
    settings,
    contracts,
    buildDirectory,
  });
  service.addStackDependency(stateful, 'The service finds the table and the bucket by name');
  return { stateful, service };
}
