import { parseArgs } from 'node:util';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { readSettings } from '../settings/read-settings.ts';
import { checkQuotas } from './check-quotas.ts';
import { explainFailure, readQuotas } from './read-quotas.ts';

const usage = `Compares the quotas of an AWS account with the requirements of a stage. Exit codes: 0 the stage can be deployed, 1 a quota
must be raised, 2 the quotas could not be read.

  npm run deploy:preflight -- [--stage dev]
`;

/** Prints the findings. Returns false if a quota must be raised. */
async function preflight(stage: string): Promise<boolean> {
  const settings = readSettings(cdkJson.context.stages, stage);
  const region = settings.region === undefined ? {} : { region: settings.region };
  const clients = { lambda: new LambdaClient(region), serviceQuotas: new ServiceQuotasClient(region) };
  const findings = checkQuotas(settings, await readQuotas(clients));
  console.log(`Requirements of stage ${stage} on this account in ${await clients.lambda.config.region()}:`);
  for (const { requirement, status, advice } of findings) {
    console.log(`  ${status.padEnd(8)} ${requirement} (${advice})`);
  }
  return !findings.some(({ status }) => status === 'raise');
}

try {
  const { values } = parseArgs({
    options: { stage: { type: 'string', default: 'dev' }, help: { type: 'boolean', default: false } },
  });
  if (values.help) console.log(usage);
  else if (!(await preflight(values.stage))) process.exitCode = 1;
} catch (error) {
  console.error(explainFailure(error));
  process.exitCode = 2;
}
