import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';
import { policyOf } from '../builders/template/template-policies.ts';
import { resourcesOf } from '../builders/template/template-resources.ts';

const { service } = synthesizedStage({
  settings: { largeWorkers: { memoryMb: 8192, maxConcurrency: 5 }, accountConcurrency: 1000 },
});

const machines = resourcesOf(service, 'AWS::StepFunctions::StateMachine') as {
  StateMachineName: string;
  DefinitionString: { 'Fn::Join'?: unknown } | string;
}[];

it('a stage has large functions only with the setting', () => {
  expect(JSON.stringify(synthesizedStage().service)).not.toMatch(/large/i);
});

describe('the large function', () => {
  it('has the memory of the setting, the image of the workers and its own program', () => {
    service.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'media-jobs-test-transcode-large',
      MemorySize: 8192,
      EphemeralStorage: { Size: 10_240 },
      Timeout: 900,
      ReservedConcurrentExecutions: 5,
      ImageConfig: { Command: ['transcode-large.handler'] },
    });
    service.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'media-jobs-test-transcode',
      MemorySize: 3008,
    });
  });

  it('takes its jobs from a queue, which bounds how many run at once', () => {
    service.hasResourceProperties('AWS::SQS::Queue', {
      QueueName: 'media-jobs-test-transcode-large.fifo',
      FifoQueue: true,
    });
    service.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^LargeWorkersTasksQueue'), 'Arn'] },
      ScalingConfig: { MaximumConcurrency: 5 },
      BatchSize: 1,
    });
  });

  it('may do what a Fargate task may, and answer the token of its task', () => {
    expect(policyOf(service, 'LargeWorkersTranscode')).toMatchObject({
      's3:PutObject': 'jobs/*, work/*',
      's3:GetObject': 'uploads/*, work/*',
      'states:SendTaskSuccess': '*',
      'states:SendTaskFailure': '*',
    });
    expect(policyOf(service, 'LargeWorkersTranscode')).not.toHaveProperty('states:StartExecution');
  });
});

it('the state machine sends the job to that queue, and does nothing else', () => {
  const machine = machines.find(({ StateMachineName: name }) => name === 'media-jobs-test-large-transcode');
  const definition = JSON.parse(String(machine?.DefinitionString));
  expect(definition.States.RunFunction).toMatchObject({
    Resource: 'arn:${Partition}:states:::sqs:sendMessage.waitForTaskToken',
    Parameters: { QueueUrl: '${TranscodeLargeQueue}', 'MessageGroupId.$': '$.group' },
    End: true,
  });
  expect(policyOf(service, 'LargeWorkersMachine')).toEqual({ 'sqs:SendMessage': 'LargeWorkersTasksQueue' });
});

it('the transcoder, reconcile and the API know the state machine, and prices the memory', () => {
  for (const name of ['transcode', 'reconcile']) {
    service.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: `media-jobs-test-${name}`,
      Environment: { Variables: Match.objectLike({ LARGE_STATE_MACHINE_ARN: Match.anyValue() }) },
    });
  }
  service.hasResourceProperties('AWS::Lambda::Function', {
    FunctionName: 'media-jobs-test-transcode',
    Environment: {
      Variables: {
        LARGE_WORKERS: '5',
        PRICED_STAGE: Match.serializedJson(Match.objectLike({ memoryMb: 3008, largeMemoryMb: 8192 })),
      },
    },
  });
});

it('has an alarm and a graph, and the alarm on waiting tasks includes its queue', () => {
  service.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmName: 'media-jobs-test-oldest-task',
    Metrics: Match.arrayWith([
      Match.objectLike({ Expression: 'MAX([FILL(queue0, 0), FILL(queue1, 0), FILL(queue2, 0)])' }),
    ]),
  });
  service.hasResourceProperties('AWS::CloudWatch::Alarm', { AlarmName: 'media-jobs-test-large-failures' });
  expect(JSON.stringify(resourcesOf(service, 'AWS::CloudWatch::Dashboard'))).toContain(
    'Jobs in large functions',
  );
});

it.each([
  [{ largeWorkers: { memoryMb: 3008 } }, 'largeWorkers.memoryMb'],
  [{ largeWorkers: { memoryMb: 4096 }, transcoder: { memoryMb: 4096 } }, 'largeWorkers.memoryMb'],
  [{ largeWorkers: { maxConcurrency: 1 } }, 'largeWorkers.maxConcurrency'],
])('the settings %j are rejected by name', (settings, name) => {
  expect(() => readSettings({ test: settings }, 'test')).toThrow(name);
});
