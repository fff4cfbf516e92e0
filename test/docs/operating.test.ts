import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { Stack } from 'aws-cdk-lib';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { describe, expect, it } from 'vitest';
import stages from '../../docs/examples/stages.json' with { type: 'json' };
import { alarmRules } from '../../lib/monitoring/alarm-rules.ts';
import { statefulResourceNames } from '../../lib/names.ts';
import { checkQuotas } from '../../lib/operator/preflight/check-quotas.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';

const page = (name: string) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

function everyAlarm() {
  const stack = new Stack();
  const queue = new Queue(stack, 'Queue');
  const worker = LambdaFunction.fromFunctionName(stack, 'Worker', 'worker');
  const workers = { transcode: worker, encodeChunk: worker, joinChunks: worker, deliverWebhook: worker };
  return alarmRules({
    stage: 'test',
    taskQueues: [queue],
    deliveryQueue: queue,
    deadLetterQueues: [queue],
    ...workers,
    parallelStateMachine: StateMachine.fromStateMachineName(stack, 'Parallel', 'parallel'),
    fargateStateMachine: StateMachine.fromStateMachineName(stack, 'Fargate', 'fargate'),
    api: new HttpApi(stack, 'Api'),
    budgetUsdPerMonth: 100,
    watch: worker,
  });
}

describe('the pages of operators', () => {
  it.each(everyAlarm().map(({ name }) => name))('describes the alarm %s: meaning, where to look, remedy', (name) => {
    const entry = page('alarms.md').split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? '';
    for (const part of ['**Meaning.**', '**Look.**', '**Do.**']) expect(entry).toContain(part);
  });

  it('gives an example production that an account with 1,000 executions allows', () => {
    const quotas = {
      concurrentExecutions: 1000,
      availableExecutions: 1000,
      requestsPerSecond: 10_000,
      requestBurst: 5000,
      fargateVcpus: 6,
      fargateSpotVcpus: 0,
    };
    const findings = checkQuotas(readSettings(stages, 'production'), quotas);
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
  });

  it.each([
    ['prints the three numbers of keys', 'echo KEYHASH#1 KEYHASH#2 | tr " " "\\t"', true],
    ['stops after a scan that fails, before it names keys to revoke', 'exit 254', false],
  ])('restores in a POSIX shell: %s', async (_, answer, isComplete) => {
    const folder = await aTemporaryFolder();
    const [, block = ''] = /^```\n(keys\(\) \{.*?)^```$/ms.exec(page('restoring.md')) ?? [];
    writeFileSync(join(folder, 'aws'), `#!/bin/sh\n${answer}\n`);
    chmodSync(join(folder, 'aws'), 0o755);
    const script = `table=old-table restored=new-table\n${block}`;
    const env = { PATH: `${folder}:${process.env.PATH}` };
    const run = () => execFileSync('/bin/sh', ['-c', script], { cwd: folder, env, stdio: 'pipe' });
    if (isComplete) expect(String(run()).trim().split('\n')).toHaveLength(4);
    else expect(run).toThrow();
    expect(existsSync(join(folder, 'revoked'))).toBe(isComplete);
  });

  it('builds the names of the table and the bucket as the stack does', () => {
    const variables = new Map(
      [...page('operating.md').matchAll(/^(table|bucket)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
    );
    const deployment = { stage: '$stage', account: '$account', region: '$region' };
    expect(Object.fromEntries(variables)).toEqual({
      table: statefulResourceNames(deployment).table,
      bucket: statefulResourceNames(deployment).mediaBucket,
    });
  });
});
