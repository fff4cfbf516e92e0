import { roleCredentials } from '@media-jobs/local-stage/permissions';
import { type FunctionPlan, planStage, readAssembly } from '@media-jobs/local-stage/template';
import { firstApiKey } from '../../../../lib/local/first-key.ts';
import { startLocalStage } from '../../../../lib/local/start-stage.ts';
import type { HostReport, HostRequest } from './hosted-stage.ts';

/**
 * A process that runs a stage on the given directories and reports the calls of its emulators. Its workers get no
 * messages: submitted jobs stay queued, so that no encoding disturbs the measurement.
 */
const [assemblyDirectory = '', dataDirectory = ''] = process.argv.slice(2);
const stage = await startLocalStage({ assemblyDirectory, dataDirectory, port: 0, log: () => undefined });
stage.faults.fail({ service: 'sqs', operation: 'ReceiveMessage', kind: 'error' });

const stop = async () => {
  await stage.stop();
  process.exit(0);
};

process.on('message', (request: HostRequest) => {
  if (request === 'stop') return void stop();
  send({ kind: 'calls', calls: stage.calls() });
  stage.resetCalls();
});
process.on('disconnect', stop);

const { baseUrl, endpoints, resources } = stage;
const apiKey = await firstApiKey(stage, dataDirectory);
send({ kind: 'ready', baseUrl, endpoints, resources, apiKey, createJob: await planOfCreateJob() });

async function planOfCreateJob(): Promise<FunctionPlan> {
  const { functions } = planStage(await readAssembly(assemblyDirectory), endpoints);
  const plan = functions.find(({ name }) => name.endsWith('submission'));
  if (plan === undefined) throw new Error('The template has no function that creates jobs');
  const { accessKeyId, secretAccessKey, sessionToken } = roleCredentials(plan.roleArn);
  const credentials = {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  };
  return { ...plan, environment: { ...plan.environment, ...credentials } };
}

function send(report: HostReport): void {
  process.send?.(report);
}
