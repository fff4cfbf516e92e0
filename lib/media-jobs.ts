import { Stack, Stage, Token } from 'aws-cdk-lib';
import { CURRENT_VERSION_EXPIRED_FLAGS, CURRENT_VERSION_FLAG_DEFAULTS, FLAGS } from 'aws-cdk-lib/cx-api';
import { Construct } from 'constructs';
import cdkJson from '../cdk.json' with { type: 'json' };
import { contracts } from '../core/api/registry.ts';
import { buildDirectory, dashboardDirectory } from './build/paths.ts';
import type { MediaJobsProps } from './media-jobs-props.ts';
import { namePrefix } from './names.ts';
import { readSettings } from './settings/read-settings.ts';
import { statefulResources } from './stage-resources.ts';
import { stageStacks } from './stage-stacks.ts';

export type { MediaJobsProps };

/**
 * A stage of the service in another CDK app: its stacks `stateful` and `service`, and `edge` in us-east-1 if the settings
 * need it, beside the stack that contains the construct. They are those of this project's own app, under any feature flags.
 */
export class MediaJobs extends Construct {
  /** Base URL of the API, without a trailing slash. */
  readonly url: string;
  /** Table with the records of jobs. */
  readonly tableName: string;
  /** Bucket with uploads and with the files of jobs. */
  readonly mediaBucketName: string;
  /** Bus that gets an event at each change of a job. */
  readonly eventBusName: string;
  /** Table, bucket and key: protected from deletion. */
  readonly stateful: Stack;
  /** API and workers. */
  readonly service: Stack;
  /** Certificate, firewall and budget in us-east-1; undefined if the settings need none of them there. */
  readonly edge: Stack | undefined;

  /** @throws SettingsError for the first invalid setting */
  constructor(scope: Construct, id: string, props: MediaJobsProps = {}) {
    super(scope, id);
    const { stage = 'dev', ...values } = props;
    useOwnFlags(this);
    const settings = readSettings({ [stage]: values }, stage, environmentOf(scope));
    const stacks = stageStacks(this, { settings, contracts, buildDirectory, dashboardDirectory });
    const { table, media } = statefulResources(stacks.service, settings);
    this.stateful = stacks.stateful;
    this.service = stacks.service;
    this.edge = stacks.edge;
    this.url = stacks.service.publicUrl;
    this.tableName = table.name;
    this.mediaBucketName = media.name;
    this.eventBusName = namePrefix(stage);
  }
}

/** The flags of the CDK that the stage was tested with. Those of the surrounding app would change its resources. */
function useOwnFlags({ node }: Construct): void {
  const values: Readonly<Record<string, unknown>> = { ...CURRENT_VERSION_FLAG_DEFAULTS, ...cdkJson.context };
  for (const flag of Object.keys(FLAGS)) {
    if (!CURRENT_VERSION_EXPIRED_FLAGS.includes(flag)) node.setContext(flag, values[flag] ?? false);
  }
}

/** Account and region of the surrounding stack or stage, where they are known. */
function environmentOf(scope: Construct): { account: string | undefined; region: string | undefined } {
  const surrounding = scope.node.scopes.findLast((parent) => Stack.isStack(parent) || Stage.isStage(parent));
  const { account, region } = (surrounding ?? {}) as Partial<Pick<Stack, 'account' | 'region'>>;
  const known = (value: string | undefined) => (Token.isUnresolved(value) ? undefined : value);
  return { account: known(account), region: known(region) };
}
