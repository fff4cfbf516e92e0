import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { describe, expect, it } from 'vitest';
import { alarmRules } from '../../lib/monitoring/alarm-rules.ts';
import { statefulResourceNames } from '../../lib/names.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');

function everyAlarm() {
  const stack = new Stack();
  const queue = new Queue(stack, 'Queue');
  const worker = LambdaFunction.fromFunctionName(stack, 'Worker', 'worker');
  const workers = { transcode: worker, encodeChunk: worker, joinChunks: worker, deliverWebhook: worker };
  return alarmRules({
    stage: 'test',
    queue,
    deadLetterQueues: [queue],
    ...workers,
    parallelStateMachine: StateMachine.fromStateMachineName(stack, 'Parallel', 'parallel'),
    largeStateMachine: StateMachine.fromStateMachineName(stack, 'Large', 'large'),
    fargateStateMachine: StateMachine.fromStateMachineName(stack, 'Fargate', 'fargate'),
    api: new HttpApi(stack, 'Api'),
    budget: { usdPerMonth: 100, email: 'bills@example.com' },
  });
}

/** Every string in the templates of a stage named `test`, among them the names of its resources. */
function namesOfAStage(): Set<string> {
  const fargate = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'] };
  const { service, stateful } = synthesizedStage({ settings: { fargate, largeWorkers: {} } });
  const templates = JSON.stringify([service.toJSON(), stateful.toJSON()]);
  return new Set([...templates.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name));
}

describe('docs/operating.md', () => {
  it.each(everyAlarm().map(({ name }) => name))(
    'describes the alarm %s: meaning, where to look, what to do',
    (name) => {
      const entry = text.split(`### ${name}\n`)[1]?.split('\n### ')[0] ?? '';
      for (const part of ['**Meaning.**', '**Look.**', '**Do.**']) expect(entry).toContain(part);
    },
  );

  it('names every resource as the templates do', () => {
    const called = [...text.matchAll(/[/\w-]*\$stage-[a-z-]*[a-z]/g)]
      .map(([name]) => name)
      // A template does not contain the name of its own stack.
      .filter((name) => !/^media-jobs-\$stage-(stateful|edge)$/.test(name));
    expect(called.length).toBeGreaterThan(4);
    const names = namesOfAStage();
    for (const name of called) expect(names).toContain(name.replace('$stage', 'test'));
  });

  it('builds the names of the table and the bucket as the stack does', () => {
    const variables = new Map(
      [...text.matchAll(/^(table|bucket)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
    );
    const deployment = { stage: '$stage', account: '$account', region: '$region' };
    expect(Object.fromEntries(variables)).toEqual({
      table: statefulResourceNames(deployment).table,
      bucket: statefulResourceNames(deployment).mediaBucket,
    });
  });
});
