import { pricesOf } from '../../../core/pricing/region-prices.ts';
import { needsEdgeStack } from '../../settings/edge.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Finding } from './finding.ts';
import { ecsRoleName } from './read-ecs-role.ts';

export type Architecture = Settings['architecture'];

/** What the deployment depends on besides quotas. */
export type Environment = {
  /** The account of the credentials, whose quotas and bootstrap are read. */
  account: string | undefined;
  /** The region that CDK resolves for a stage without one. */
  cdkRegion: string;
  /** The region that the AWS SDK resolves here; undefined if it finds none. */
  sdkRegion: string | undefined;
  /** The architecture that the container engine builds for; undefined if none answers. CodeBuild builds for each. */
  engineArchitecture: Architecture | 'any' | undefined;
  /** Version of the CDK bootstrap by region; undefined if the region has none. */
  bootstrapVersions: Readonly<Record<string, number | undefined>>;
  /** Whether the account has the service-linked role of ECS; undefined if it could not be read, or is not needed. */
  hasEcsRole?: boolean | undefined;
};

/** The version of the bootstrap that the stacks require. */
export const minBootstrapVersion = 6;

export function deploymentRegions(settings: Settings, cdkRegion: string): string[] {
  return [...new Set([settings.region ?? cdkRegion, ...(needsEdgeStack(settings) ? ['us-east-1'] : [])])];
}

/** Compares the requirements of a stage with the tools, and with the bootstrap and the roles of the account. */
export function checkEnvironment(settings: Settings, environment: Environment): Finding[] {
  return [
    checkRegion(settings, environment),
    checkArchitecture(settings, environment),
    checkPrices(settings, environment),
    ...deploymentRegions(settings, environment.cdkRegion).map((region) =>
      checkBootstrap(settings, region, environment),
    ),
    ...(settings.fargate === undefined ? [] : [checkEcsRole(environment)]),
  ];
}

export function checkAccount({ account }: Settings, { account: found }: Pick<Environment, 'account'>): Finding {
  if (account === undefined || account === found) {
    return { requirement: `Account: ${found}`, status: 'ok', advice: 'that of the credentials' };
  }
  return {
    requirement: `Account: ${account}`,
    status: 'change',
    advice: `the credentials are of ${found}, whose quotas and bootstrap are compared below: use credentials of ${account}`,
  };
}

function checkRegion({ region }: Settings, { cdkRegion, sdkRegion }: Environment): Finding {
  const requirement = `Region: ${region ?? cdkRegion}`;
  if (region !== undefined) return { requirement, status: 'ok', advice: 'set in cdk.json' };
  if (sdkRegion === cdkRegion) return { requirement, status: 'ok', advice: 'CDK and the AWS SDK agree' };
  const other = sdkRegion === undefined ? 'finds no region' : `uses ${sdkRegion}`;
  return {
    requirement,
    status: 'change',
    advice: `CDK deploys there, but the AWS SDK ${other}: set region of the stage in cdk.json, or AWS_REGION`,
  };
}

function checkArchitecture({ architecture, image }: Settings, { engineArchitecture }: Environment): Finding {
  const requirement = `Architecture of the image: ${architecture}`;
  if (image !== undefined) return { requirement, status: 'ok', advice: 'the setting image names one of ECR' };
  if (engineArchitecture === 'any') return { requirement, status: 'ok', advice: 'CodeBuild builds it' };
  if (engineArchitecture === architecture) {
    return { requirement, status: 'ok', advice: 'the container engine builds for it' };
  }
  if (engineArchitecture === undefined) {
    const advice = 'no container engine answers: start Docker, set CDK_DOCKER=podman, or deploy with --build remote';
    return { requirement, status: 'change', advice };
  }
  return {
    requirement,
    status: 'change',
    advice: `the container engine builds for ${engineArchitecture}: set architecture to that, build on a machine with ${architecture}, or deploy with --build remote`,
  };
}

function checkPrices({ region }: Settings, { cdkRegion }: Environment): Finding {
  const deployed = region ?? cdkRegion;
  const requirement = `Prices of ${deployed}, for the cost of jobs`;
  const { region: known, readOn } = pricesOf(deployed);
  if (known === deployed) return { requirement, status: 'ok', advice: `read on ${readOn}` };
  const advice = `not known: costs, limits and estimates use those of ${known}; npm run prices -- --write --region ${deployed} reads them`;
  return { requirement, status: 'unknown', advice };
}

function checkBootstrap({ account, stage }: Settings, region: string, environment: Environment): Finding {
  const version = environment.bootstrapVersions[region];
  const requirement = `CDK bootstrap in ${region}: version ${minBootstrapVersion}`;
  if (version !== undefined && version >= minBootstrapVersion) {
    return { requirement, status: 'ok', advice: `the version is ${version}` };
  }
  const found = version === undefined ? 'the region is not bootstrapped' : `the version is ${version}`;
  const command = `npx cdk bootstrap aws://${account ?? environment.account}/${region} -c stage=${stage}`;
  return { requirement, status: 'change', advice: `${found}: run ${command}` };
}

/** Without the role the first deployment of Fargate tasks may fail: "Unable to assume the service linked role". */
function checkEcsRole({ hasEcsRole }: Environment): Finding {
  const requirement = 'Service-linked role of ECS, for Fargate tasks';
  if (hasEcsRole === true) return { requirement, status: 'ok', advice: `the account has ${ecsRoleName}` };
  const command = 'aws iam create-service-linked-role --aws-service-name ecs.amazonaws.com';
  return hasEcsRole === false
    ? { requirement, status: 'change', advice: `the account has none: run ${command}` }
    : { requirement, status: 'unknown', advice: `it could not be read; if the account has none, run ${command}` };
}
