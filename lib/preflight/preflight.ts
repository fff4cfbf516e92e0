import { parseArgs } from 'node:util';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { readSettings } from '../read-settings.ts';
import { explainFailure } from './explain-failure.ts';
import { judgeQuotas } from './judge-quotas.ts';
import { readQuotas } from './read-quotas.ts';

const { values } = parseArgs({ options: { stage: { type: 'string', default: 'dev' } } });

try {
  const settings = readSettings(cdkJson.context.stages, values.stage);
  const region = settings.region === undefined ? {} : { region: settings.region };
  const clients = { lambda: new LambdaClient(region), serviceQuotas: new ServiceQuotasClient(region) };
  const findings = judgeQuotas(settings, await readQuotas(clients));
  console.log(`What stage ${values.stage} needs of this account in ${await clients.lambda.config.region()}:`);
  for (const { need, verdict, advice } of findings) {
    console.log(`  ${verdict.padEnd(8)} ${need} (${advice})`);
  }
  if (findings.some(({ verdict }) => verdict === 'raise')) process.exitCode = 1;
} catch (error) {
  console.error(explainFailure(error));
  process.exitCode = 2;
}
