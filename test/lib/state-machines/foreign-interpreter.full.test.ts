import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clientOptions, createInterpreter, taskTokens } from '@media-jobs/local-stage/emulators';
import { aClosedPort } from '@media-jobs/testing/a-closed-port';
import pRetry from 'p-retry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parallelInListsDefinition } from '../../../lib/state-machines/parallel-in-lists.ts';
import { parallelTranscodeDefinition } from '../../../lib/state-machines/parallel-transcode.ts';
import { judges } from '../../builders/judges.ts';

type Task = { chunk?: number; failed?: boolean };
type Outcome = { status: string | undefined; error?: string | undefined; output: unknown; tasks: string[] };
/** The error of a task; undefined: it succeeds. */
type Worker = (task: Task) => string | undefined;

const job = { ownerId: 'acme', jobId: 'job-1', leaseId: 'lease-1', planKey: 'work/job-1/abc/plan.json', group: 'acme' };
const listed = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ chunk: from + index, group: `acme#${index}` }));

/** Counts the tries of each task, and keeps their order out of the outcome: iterations run at the same time. */
function recorder(worker: Worker) {
  const tries = new Map<string, number>();
  return {
    answer(task: Task): string | undefined {
      const name = JSON.stringify(task);
      tries.set(name, (tries.get(name) ?? 0) + 1);
      return worker(task);
    },
    tasks: () => [...tries].map(([name, count]) => `${name} ${count}`).toSorted(),
  };
}

/**
 * moto loses the cause of a task that a worker has failed. It answers a retry with the result of the first try, so no case
 * here succeeds after one.
 */
const withoutCauses = (output = 'null'): unknown =>
  JSON.parse(output, (name, value: unknown) => (name === 'Cause' ? undefined : value));

/** Runs a definition on the interpreter of the local stage. */
async function ours(definition: string, input: object, worker: Worker): Promise<Outcome> {
  const tokens = taskTokens();
  const { answer, tasks } = recorder(worker);
  const interpreter = createInterpreter('machine', definition.replaceAll(/\$\{(\w+)\}/g, 'https://sqs.test/$1'), {
    tokens,
    send: async ({ MessageBody }) => {
      const { taskToken, task } = JSON.parse(MessageBody) as { taskToken: string; task: Task };
      const error = answer(task);
      if (error === undefined) tokens.succeed(taskToken, {});
      else tokens.fail(taskToken, { name: error, cause: 'of the test' });
    },
    functions: { invoke: async () => ({ ok: true, payload: '{"status":"settled"}' }) } as never,
    runTask: () => Promise.reject(new Error('There are no Fargate tasks')),
  });
  const names = { Id: 'id', Name: 'name' };
  const { ended } = interpreter.run(JSON.stringify(input), {
    Execution: { ...names, RoleArn: 'arn' },
    StateMachine: names,
  });
  const { status, output, error } = (await ended) ?? {};
  return { status, error, output: withoutCauses(output), tasks: tasks() };
}

const python = await judges();

describe.skipIf(python === undefined)("moto's interpreter of state machines, which is that of LocalStack", () => {
  let child: ChildProcess;
  let endpoint: string;
  let sfn: SFNClient;
  let sqs: SQSClient;
  beforeAll(async () => {
    const port = await aClosedPort();
    child = spawn(String(python), ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
    endpoint = `http://127.0.0.1:${port}`;
    const settings = { stepfunctions: { execute_state_machine: true } };
    const configure = () => fetch(`${endpoint}/moto-api/config`, { method: 'POST', body: JSON.stringify(settings) });
    await pRetry(configure, { retries: 200, factor: 1, minTimeout: 200 });
    sfn = new SFNClient(clientOptions(endpoint));
    sqs = new SQSClient(clientOptions(endpoint));
  });
  afterAll(async () => {
    sfn.destroy();
    sqs.destroy();
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  });

  async function theirs(text: string, input: object, worker: Worker): Promise<Outcome> {
    const QueueName = `tasks-${Math.trunc(performance.now() * 1000)}`;
    // Nothing is deleted: on a slow machine a message would come twice.
    const Attributes = { VisibilityTimeout: '3600' };
    const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
    const definition = text.replaceAll(/\$\{\w+Queue\}/g, QueueUrl);
    const roleArn = 'arn:aws:iam::123456789012:role/machine';
    const name = `machine-${Math.trunc(performance.now() * 1000)}`;
    const { stateMachineArn } = await sfn.send(new CreateStateMachineCommand({ name, roleArn, definition }));
    const start = new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) });
    const { executionArn } = await sfn.send(start);
    const { answer, tasks } = recorder(worker);
    for (;;) {
      // The state is read before the queue, so that a task sent shortly before the end is counted too.
      const { status, output, error } = await sfn.send(new DescribeExecutionCommand({ executionArn }));
      const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 });
      const { Messages = [] } = await sqs.send(receive);
      if (status !== 'RUNNING' && Messages.length === 0)
        return { status, error, output: withoutCauses(output), tasks: tasks() };
      for (const { Body = '' } of Messages) {
        const { taskToken, task } = JSON.parse(Body) as { taskToken: string; task: Task };
        const failure = answer(task);
        // A Map that has failed ends its other iterations, whose tokens are unknown then.
        const answered =
          failure === undefined
            ? sfn.send(new SendTaskSuccessCommand({ taskToken, output: '{}' }))
            : sfn.send(new SendTaskFailureCommand({ taskToken, error: failure, cause: 'of the test' }));
        await answered.catch(() => undefined);
      }
    }
  }

  const single = parallelTranscodeDefinition({ maxParallelChunks: 3, timeoutSeconds: 600 });
  const inLists = parallelInListsDefinition({ maxParallelChunks: 100, timeoutSeconds: 600 });
  const succeeds: Worker = () => undefined;
  const fails =
    (chunk: number, name: string): Worker =>
    (task) =>
      task.chunk === chunk ? name : undefined;

  it.each<[string, object, object, Worker]>([
    ['chunks after a measurement', single, { ...job, first: listed(1, 7), chunks: listed(7) }, succeeds],
    ['a Map of Maps with 60 tasks', inLists, { ...job, first: [], chunks: listed(60) }, succeeds],
    ['a Map of Maps with 130 tasks', inLists, { ...job, first: listed(2, 130), chunks: listed(130) }, succeeds],
    ['no tasks', single, { ...job, first: [], chunks: [] }, succeeds],
    ['a task that fails three times', single, { ...job, first: [], chunks: listed(1) }, fails(0, 'TaskFailed')],
    ['a task whose error is final', single, { ...job, first: [], chunks: listed(1) }, fails(0, 'EncodingFailed')],
    ['a final error in a Map of Maps', inLists, { ...job, first: [], chunks: listed(1) }, fails(0, 'EncodingFailed')],
    [
      'a measurement that fails',
      single,
      { ...job, first: listed(1, 3), chunks: listed(3) },
      fails(3, 'EncodingFailed'),
    ],
    [
      'a join that fails',
      single,
      { ...job, first: [], chunks: listed(2) },
      ({ failed }) => (failed === false ? 'TaskFailed' : undefined),
    ],
    ['a failure that cannot be reported', single, { ...job, first: [], chunks: listed(1) }, () => 'TaskFailed'],
  ])('ends as the interpreter of the stage does: %s', async (_, machine, input, worker) => {
    const definition = JSON.stringify(machine).replaceAll('${Partition}', 'aws');
    const [expected, outcome] = await Promise.all([theirs(definition, input, worker), ours(definition, input, worker)]);
    expect(outcome).toEqual(expected);
    expect(expected.status).not.toBe('TIMED_OUT');
  });
});
