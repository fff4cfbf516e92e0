import { ArnFormat, Aws, Duration, Stack } from 'aws-cdk-lib';
import { CfnSecurityGroup } from 'aws-cdk-lib/aws-ec2';
import {
  CfnCluster,
  type ContainerDefinition,
  CpuArchitecture,
  FargateTaskDefinition,
  LogDriver,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { taskDownloadBytes } from '../../core/pricing/fargate-computer.ts';
import { acknowledgeFinding, acknowledgeWildcard } from '../acknowledge-findings.ts';
import { namePrefix } from '../names.ts';
import { processorSlowness } from '../priced-workers.ts';
import { type FargateSettings, fargateMemoryGb } from '../settings/fargate.ts';
import { chunkingOf } from '../settings/owner-limits.ts';
import type { Settings } from '../settings/settings.ts';
import { containerName } from '../state-machines/fargate-transcode.ts';
import { functionEnvironment, logGroup } from './function-identity.ts';
import { workerEnvironment } from './worker-function.ts';
import { taskImage } from './worker-image.ts';

export type FargateTasksProps = { settings: Settings; fargate: FargateSettings; buildDirectory: string };

/** The time of a stopped task between SIGTERM and SIGKILL: the maximum. */
const stopTimeout = Duration.seconds(120);

/** The image's user without rights: Lambda runs functions under such a user too. */
const user = '1000:1000';

/** The cluster, the task definition and the network of Fargate tasks. They run the image of the workers. */
export class FargateTasks extends Construct {
  readonly clusterArn: string;
  readonly tasksArn: string;
  readonly securityGroupId: string;
  readonly definition: FargateTaskDefinition;
  /** ARN pattern of all revisions of the task definition. */
  readonly revisionsArn: string;
  readonly container: ContainerDefinition;

  constructor(scope: Construct, id: string, props: FargateTasksProps) {
    super(scope, id);
    const { settings, fargate } = props;
    const name = `${namePrefix(settings.stage)}-fargate`;
    const cluster = new CfnCluster(this, 'Cluster', {
      clusterName: name,
      capacityProviders: ['FARGATE', 'FARGATE_SPOT'],
    });
    acknowledgeFinding(
      cluster,
      'AwsSolutions-ECS4',
      'Tasks log their jobs; Container Insights costs more than they do.',
    );
    this.clusterArn = cluster.attrArn;
    this.tasksArn = Stack.of(this).formatArn({
      service: 'ecs',
      resource: 'task',
      resourceName: `${name}/*`,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    this.securityGroupId = new CfnSecurityGroup(this, 'SecurityGroup', {
      groupName: name,
      groupDescription: `Fargate tasks of the stage ${settings.stage}: no connections to them`,
      vpcId: fargate.vpcId,
      // Inputs may be at any address and port; the worker itself checks them.
      securityGroupEgress: [{ ipProtocol: '-1', cidrIp: '0.0.0.0/0', description: 'Inputs, and the services of AWS' }],
    }).attrGroupId;
    this.definition = new FargateTaskDefinition(this, 'Task', {
      family: name,
      cpu: fargate.vcpus * 1024,
      memoryLimitMiB: fargateMemoryGb(fargate) * 1024,
      ephemeralStorageGiB: fargate.storageGb,
      runtimePlatform: {
        operatingSystemFamily: OperatingSystemFamily.LINUX,
        cpuArchitecture: settings.architecture === 'arm64' ? CpuArchitecture.ARM64 : CpuArchitecture.X86_64,
      },
    });
    this.revisionsArn = Stack.of(this).formatArn({
      service: 'ecs',
      resource: 'task-definition',
      resourceName: `${name}:*`,
    });
    this.container = this.addContainer(name, props);
    acknowledgeFinding(this.definition, 'AwsSolutions-ECS2', 'The environment holds names and limits, no secrets.');
    acknowledgeWildcard(this.definition.obtainExecutionRole(), '*', 'ecr:GetAuthorizationToken supports no resource.');
  }

  /** For `grantUses`. */
  get role() {
    return this.definition.taskRole;
  }

  addToRolePolicy(statement: PolicyStatement): void {
    this.definition.addToTaskRolePolicy(statement);
  }

  addEnvironment(name: string, value: string): void {
    this.container.addEnvironment(name, value);
  }

  private addContainer(name: string, props: FargateTasksProps): ContainerDefinition {
    const { settings, fargate } = props;
    return this.definition.addContainer(containerName, {
      image: taskImage(this, props),
      // Without an init process: as the first process it would show the path of the credentials in its environment.
      entryPoint: ['sh', '/var/task/start.sh', 'node', '--require=/var/task/take-credentials.cjs'],
      command: ['/var/task/fargate-task.cjs'],
      user,
      stopTimeout,
      logging: LogDriver.awsLogs({ logGroup: logGroup(this, 'Logs', { ...settings, name }), streamPrefix: 'task' }),
      environment: {
        AWS_REGION: Aws.REGION,
        ...functionEnvironment(settings),
        ...workerEnvironment(settings),
        MAX_DOWNLOAD_BYTES: String(taskDownloadBytes(fargate.storageGb)),
        DOWNLOAD_TIMEOUT_SECONDS: String(fargate.maxHours * 1800),
        PROCESSOR_SLOWNESS: String(processorSlowness(settings)),
        CHUNKING_SETTINGS: JSON.stringify(chunkingOf(settings)),
        FARGATE_VCPUS: String(fargate.vcpus),
        FARGATE_MEMORY_MB: String(fargateMemoryGb(fargate) * 1024),
        FARGATE_MAX_SECONDS: String(fargate.maxHours * 3600),
      },
    });
  }
}
