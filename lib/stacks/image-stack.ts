import path from 'node:path';
import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import {
  BuildSpec,
  ComputeType,
  LinuxArmBuildImage,
  LinuxBuildImage,
  Project,
  Source,
} from 'aws-cdk-lib/aws-codebuild';
import { Repository, TagMutability } from 'aws-cdk-lib/aws-ecr';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { Construct } from 'constructs';
import { digest } from '../build/source-hash.ts';
import { namePrefix } from '../names.ts';
import type { Settings } from '../settings/settings.ts';

export type ImageStackProps = StackProps & { settings: Settings; buildDirectory: string };

/**
 * Builds the image of the workers in CodeBuild, for a machine without a container engine or of another architecture. The
 * repository belongs to this stack: the service names an image of it by digest.
 */
export class ImageStack extends Stack {
  constructor(scope: Construct, id: string, { settings, buildDirectory, ...props }: ImageStackProps) {
    const { stage, architecture, baseImage, logRetentionDays } = settings;
    super(scope, id, { description: `Media jobs, stage ${stage}: builds the image of the workers`, ...props });
    const context = new Asset(this, 'Context', { path: path.join(buildDirectory, 'images', 'transcode') });
    const repository = new Repository(this, 'Repository', {
      repositoryName: `${namePrefix(stage)}-workers`,
      imageTagMutability: TagMutability.IMMUTABLE,
      // Earlier images serve a rollback.
      lifecycleRules: [{ maxImageCount: 10 }],
      emptyOnDelete: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const logGroup = new LogGroup(this, 'Logs', { retention: logRetentionDays, removalPolicy: RemovalPolicy.DESTROY });
    const project = new Project(this, 'Project', {
      projectName: `${namePrefix(stage)}-image`,
      source: Source.s3({ bucket: context.bucket, path: context.s3ObjectKey }),
      buildSpec: BuildSpec.fromObjectToYaml(imageBuildSpec),
      environment: {
        buildImage:
          architecture === 'arm64' ? LinuxArmBuildImage.AMAZON_LINUX_2_STANDARD_3_0 : LinuxBuildImage.STANDARD_7_0,
        computeType: ComputeType.MEDIUM,
        // Docker runs in the build's container.
        privileged: true,
      },
      environmentVariables: {
        REPOSITORY: { value: repository.repositoryUri },
        TAG: { value: digest(JSON.stringify([context.assetHash, architecture, baseImage])).slice(0, 32) },
        ...(baseImage !== undefined && { BASE: { value: baseImage } }),
      },
      timeout: Duration.hours(2),
      logging: { cloudWatch: { logGroup } },
    });
    repository.grantPullPush(project);
    repository.grant(project, 'ecr:DescribeImages');
    new CfnOutput(this, 'ProjectName', { value: project.projectName });
    new CfnOutput(this, 'Region', { value: this.region });
  }
}

const described = 'aws ecr describe-images --repository-name "${REPOSITORY#*/}" --image-ids imageTag="$TAG"';

/** Builds and pushes the image, unless the repository has one of the same files, and exports its address by digest. */
export const imageBuildSpec = {
  version: '0.2',
  env: { shell: 'bash', 'exported-variables': ['IMAGE'] },
  phases: {
    build: {
      commands: [
        'aws ecr get-login-password | docker login --username AWS --password-stdin "${REPOSITORY%%/*}"',
        // Lambda accepts no index of images, which attestations would make.
        'export BUILDX_NO_DEFAULT_ATTESTATIONS=1',
        `${described} || (docker build \${BASE:+--build-arg BASE="$BASE"} --tag "$REPOSITORY:$TAG" . && docker push "$REPOSITORY:$TAG")`,
        `export IMAGE="$REPOSITORY@$(${described} --query 'imageDetails[0].imageDigest' --output text)"`,
        '[[ "$IMAGE" == *@sha256:* ]]',
      ],
    },
  },
};
