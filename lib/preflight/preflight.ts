import { parseArgs } from 'node:util';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { readSettings } from '../settings/read-settings.ts';
import { checkQuotas } from './check-quotas.ts';
import { explainFailure } from './explain-failure.ts';
import { readQuotas } from './read-quotas.ts';

const usage = `Reads what an account may do in a region and says what has to be raised for a stage: 0 where it can be deployed, 1 where
something has to be raised, 2 where the quotas could not be read.

  npm run deploy:preflight -- [--stage dev]
`;

/** Prints what was found; false where something has to be raised. */
async function preflight(stage: string): Promise<boolean> {
  const settings = readSettings(cdkJson.context.stages, stage);
  const region = settings.region === undefined ? {} : { region: settings.region };
  const clients = { lambda: new LambdaClient(region), serviceQuotas: new ServiceQuotasClient(region) };
  const findings = checkQuotas(settings, await readQuotas(clients));
  console.log(`What stage ${stage} needs of this account in ${await clients.lambda.config.region()}:`);
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
