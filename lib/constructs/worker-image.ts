import path from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { type IRepository, Repository } from 'aws-cdk-lib/aws-ecr';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import { DockerImageCode } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { ecrImage } from '../settings/image.ts';
import type { Settings } from '../settings/settings.ts';

export type WorkerImageProps = { settings: Settings; buildDirectory: string };

/** The image of the workers for a function: that of the setting `image`, else built by the deployment. */
export function functionImage(scope: Construct, props: WorkerImageProps, handler: string): DockerImageCode {
  const stored = storedImage(scope, props.settings);
  if (stored === undefined) {
    return DockerImageCode.fromImageAsset(contextOf(props), { cmd: [handler], ...buildOf(props.settings) });
  }
  return DockerImageCode.fromEcr(stored.repository, { cmd: [handler], tagOrDigest: stored.digest });
}

/** The same image for a Fargate task. */
export function taskImage(scope: Construct, props: WorkerImageProps): ContainerImage {
  const stored = storedImage(scope, props.settings);
  return stored === undefined
    ? ContainerImage.fromAsset(contextOf(props), buildOf(props.settings))
    : ContainerImage.fromEcrRepository(stored.repository, stored.digest);
}

function storedImage(scope: Construct, { image }: Settings): { repository: IRepository; digest: string } | undefined {
  if (image === undefined) return undefined;
  const { account, region, repository, digest } = ecrImage(image);
  const repositoryArn = Stack.of(scope).formatArn({
    service: 'ecr',
    resource: 'repository',
    resourceName: repository,
    account,
    region,
  });
  const attributes = { repositoryArn, repositoryName: repository };
  return { repository: Repository.fromRepositoryAttributes(scope, 'Repository', attributes), digest };
}

function contextOf({ buildDirectory }: WorkerImageProps): string {
  return path.join(buildDirectory, 'images', 'transcode');
}

function buildOf({ architecture, baseImage }: Settings) {
  return {
    platform: architecture === 'arm64' ? Platform.LINUX_ARM64 : Platform.LINUX_AMD64,
    ...(baseImage !== undefined && { buildArgs: { BASE: baseImage } }),
  };
}
