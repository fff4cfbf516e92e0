import { createInterpreter, TaskError, taskTokens } from '@media-jobs/local-stage/emulators';
import { expect, it } from 'vitest';
import { parallelInListsDefinition } from '../../../lib/state-machines/parallel-in-lists.ts';

type Body = { taskToken: string; task: { chunk?: number; failed?: boolean } };

const job = { ownerId: 'acme', jobId: 'job-1', leaseId: 'lease-1', planKey: 'work/job-1/abc/plan.json' };

/** Runs the state machine with so many tasks. Each is answered once no further one starts. */
async function run(count: number, { maxParallelChunks = 100, fails = -1 } = {}) {
  const tokens = taskTokens();
  const waiting: Body[] = [];
  const sent: Body['task'][] = [];
  const atOnce: number[] = [];
  const text = JSON.stringify(parallelInListsDefinition({ maxParallelChunks, timeoutSeconds: 60 }))
    .replaceAll('${Partition}', 'aws')
    .replaceAll(/\$\{(\w+)\}/g, 'https://sqs.test/$1');
  const interpreter = createInterpreter('parallel-transcode', text, {
    tokens,
    send: async ({ MessageBody }) => {
      const body = JSON.parse(MessageBody) as Body;
      sent.push(body.task);
      if (body.task.failed === undefined) waiting.push(body);
      else tokens.succeed(body.taskToken, {});
    },
    functions: { invoke: () => Promise.reject(new TaskError('Error', 'There are no functions')) } as never,
    runTask: () => Promise.reject(new Error('There are no Fargate tasks')),
  });
  const chunks = Array.from({ length: count }, (_, chunk) => ({ chunk, group: `acme#${chunk}` }));
  const input = { ...job, group: 'acme', first: [], chunks };
  const { ended } = interpreter.run(JSON.stringify(input), {
    Execution: { Id: 'id', Name: 'name', RoleArn: 'arn' },
    StateMachine: { Id: 'id', Name: 'name' },
  });
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver) {
    let before = -1;
    while (before !== waiting.length) {
      before = waiting.length;
      for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate);
    }
    if (waiting.length > 0) atOnce.push(waiting.length);
    for (const { taskToken, task } of waiting.splice(0)) {
      if (task.chunk === fails) tokens.fail(taskToken, { name: 'EncodingFailed', cause: 'bad' });
      else tokens.succeed(taskToken, {});
    }
  }
  return { sent, atOnce, result: await ended };
}

const chunksOf = (sent: readonly Body['task'][]) => sent.flatMap(({ chunk }) => chunk ?? []);

it('more than 40 tasks run at once, each of them once, and then the join', async () => {
  const { sent, atOnce, result } = await run(130);
  expect(atOnce[0]).toBeGreaterThan(90);
  expect(Math.max(...atOnce)).toBeLessThanOrEqual(100);
  expect(chunksOf(sent).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 130 }, (_, chunk) => chunk));
  expect(sent.filter(({ chunk }) => chunk === undefined)).toEqual([{ ...job, failed: false }]);
  expect(sent.at(-1)).toEqual({ ...job, failed: false });
  expect(result).toMatchObject({ status: 'SUCCEEDED' });
});

it('all tasks of a job of 200 chunks run at once', async () => {
  const { atOnce } = await run(200, { maxParallelChunks: 200 });
  expect(atOnce).toEqual([200]);
});

it('a task that fails for good ends all others, and the join gets `failed`', async () => {
  const { sent, result } = await run(60, { fails: 7 });
  expect(sent.at(-1)).toEqual({ ...job, failed: true });
  expect(result).toMatchObject({ status: 'SUCCEEDED' });
});
