import { parseArgs } from 'node:util';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { readSettings } from '../settings/read-settings.ts';
import { splitBuild } from './deploy/split-build.ts';
import { pinnedPackages } from './pinned-versions.ts';
import { checkAges } from './preflight/check-ages.ts';
import { checkAccount, checkEnvironment, deploymentRegions, type Environment } from './preflight/check-environment.ts';
import { checkQuotas } from './preflight/check-quotas.ts';
import { checkSignUp } from './preflight/check-sign-up.ts';
import { checkWatches, readBucketEvents } from './preflight/check-watches.ts';
import { type Finding, formatFinding } from './preflight/finding.ts';
import { readEcsRole } from './preflight/read-ecs-role.ts';
import {
  readAccount,
  readBootstrapVersions,
  readCdkRegion,
  readEngineArchitecture,
  readSdkRegion,
} from './preflight/read-environment.ts';
import { explainFailure, raiseConcurrency, readQuotas } from './preflight/read-quotas.ts';

const usage = `Compares the quotas of an AWS account, its CDK bootstrap, and the tools of this machine with the requirements of a stage. Exit
codes: 0 no line says raise or change, 1 a quota must be raised or something changed, 2 the account could not be read. A line
that says unknown or warn names what to check, and does not change the exit code.

  npm run deploy:preflight -- [--stage dev] [--build remote] [--raise-concurrency N]

  --build remote         expects no container engine: CodeBuild builds the image
  --raise-concurrency N  asks AWS for N concurrent executions of functions, such as 1000
`;

/**
 * Prints the findings as they are read, the account first: if AWS denies a later call, the wrong account may be the reason.
 * Returns false if a quota must be raised, or something changed.
 */
async function preflight(stage: string, isRemote: boolean, concurrency: number | undefined): Promise<boolean> {
  const settings = readSettings(cdkJson.context.stages, stage);
  const cdkRegion = await readCdkRegion();
  const region = settings.region ?? cdkRegion;
  const clients = { lambda: new LambdaClient({ region }), serviceQuotas: new ServiceQuotasClient({ region }) };
  const account = await readAccount(region);
  console.log(`Requirements of stage ${stage} on this account in ${region}:`);
  const accountFinding = printed(checkAccount(settings, { account }));
  const environment: Environment = {
    account,
    cdkRegion,
    sdkRegion: await readSdkRegion(new LambdaClient()),
    engineArchitecture: isRemote ? 'any' : await readEngineArchitecture(process.env.CDK_DOCKER ?? 'docker'),
    bootstrapVersions: await readBootstrapVersions(deploymentRegions(settings, cdkRegion)),
    hasEcsRole: settings.fargate && (await readEcsRole(clients.lambda.config.credentials)),
  };
  const findings = [
    accountFinding,
    ...checkEnvironment(settings, environment).map(printed),
    ...checkWatches(settings, await readBucketEvents(new S3Client({ region }), settings)).map(printed),
    ...checkSignUp(settings).map(printed),
    ...checkAges(await pinnedPackages(), new Date()).map(printed),
    ...checkQuotas(settings, await readQuotas(clients, stage)).map(printed),
  ];
  if (concurrency !== undefined) console.log(await raiseConcurrency(clients.serviceQuotas, concurrency));
  return !findings.some(({ status }) => status === 'raise' || status === 'change');
}

function concurrencyOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{1,5}$/.test(text)) return Number(text);
  throw new Error(`--raise-concurrency is ${text}; expected a whole number from 10, such as 1000.`);
}

function printed(finding: Finding): Finding {
  console.log(formatFinding(finding));
  return finding;
}

try {
  const { build, options } = splitBuild(process.argv.slice(2));
  const { values } = parseArgs({
    args: options,
    options: {
      stage: { type: 'string', default: 'dev' },
      'raise-concurrency': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) console.log(usage);
  else if (!(await preflight(values.stage, build === 'remote', concurrencyOf(values['raise-concurrency']))))
    process.exitCode = 1;
} catch (error) {
  console.error(explainFailure(error));
  process.exitCode = 2;
}
