import { tokenMarker, withTokenMarker } from '@media-jobs/local-stage/emulators';
import { maxAudioChunks, maxChunks } from '@media-jobs/video/chunking';
import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import { describe, expect, it } from 'vitest';
import { firstMatchingError, retryAfterMs } from '../../../lab/simulation/world/states-language.ts';
import { parallelTranscodeDefinition } from '../../../lib/state-machines/parallel-transcode.ts';

const definition = parallelTranscodeDefinition({ maxParallelChunks: 3, timeoutSeconds: 60 });
const job = { ownerId: 'acme', jobId: 'job-1', leaseId: 'lease-1', planKey: 'work/job-1/abc/plan.json' };

/** An error with the name that Step Functions gives a failed invocation. */
class Failure extends Error {
  constructor(name: string) {
    super(name);
    this.name = name;
  }
}

// The interpreter package knows no task tokens: a marker takes their place.
const machineOf = (machineDefinition: object) =>
  new StateMachine(withTokenMarker(structuredClone(machineDefinition)) as StateMachineDefinition, {
    validationOptions: { checkArn: false },
  });
const machine = machineOf(definition);
const answer = {};

type Message<Task> = { QueueUrl: string; MessageGroupId: string; MessageBody: { taskToken: string; task: Task } };
type ChunkTask = { chunk: number };
type Run = {
  first?: number[];
  chunks: number[];
  /** Replaces encode-chunk. */
  encode?: (chunk: number) => Promise<void> | void;
  /** Replaces join-chunks. */
  join?: (call: { failed: boolean }) => void;
};

const inputOf = (first: number[], chunks: number[]) => ({
  ...job,
  group: 'acme#0',
  first: first.map((chunk) => ({ chunk, group: `acme#${chunk % 2}` })),
  chunks: chunks.map((chunk) => ({ chunk, group: `acme#${chunk % 2}` })),
});

/** Runs the state machine with functions of the test, without delays, and records the messages. */
async function run({ first = [], chunks, encode = () => undefined, join = () => undefined }: Run) {
  const messages: Message<unknown>[] = [];
  const encoded: ChunkTask[] = [];
  const joins: { failed: boolean }[] = [];
  const encodeChunk = async (message: Message<ChunkTask>) => {
    const { task } = message.MessageBody;
    messages.push(message);
    encoded.push(task);
    await encode(task.chunk);
    return answer;
  };
  const joinChunks = (message: Message<{ failed: boolean }>) => {
    const { task } = message.MessageBody;
    messages.push(message);
    joins.push(task);
    join(task);
    return answer;
  };
  const { result } = machine.run(inputOf(first, chunks), {
    overrides: {
      taskResourceLocalHandlers: {
        MeasureChunk: encodeChunk as never,
        EncodeChunk: encodeChunk as never,
        Join: joinChunks as never,
        RetryOrFail: joinChunks as never,
      },
      retryIntervalOverrides: { MeasureChunk: 0, EncodeChunk: 0, Join: 0, RetryOrFail: 0 },
    },
  });
  const failure = await result.then(
    () => undefined,
    (error: Error) => error.message,
  );
  const timesOf = (chunk: number) => encoded.filter((call) => call.chunk === chunk).length;
  return { messages, encoded, joins, failure, timesOf };
}

/** Fails once for each error name of the chunk, then succeeds. */
function failing(names: Record<number, string[]>) {
  return (chunk: number) => {
    const name = names[chunk]?.shift();
    if (name !== undefined) throw new Failure(name);
  };
}

describe('the state machine of a chunked job', () => {
  it('encodes every chunk by its number, then joins them', async () => {
    const { encoded, joins } = await run({ chunks: [0, 1, 2] });
    expect(encoded).toEqual([0, 1, 2].map((chunk) => ({ ...job, chunk })));
    expect(joins).toEqual([{ ...job, failed: false }]);
  });

  it('encodes no chunk before the last measurement that all of them depend on', async () => {
    const { encoded, joins } = await run({ first: [4, 3], chunks: [2, 1, 0] });
    expect(encoded.map(({ chunk }) => chunk)).toEqual([4, 3, 2, 1, 0]);
    expect(joins).toEqual([{ ...job, failed: false }]);
  });

  it('ends with `failed` if a measurement fails for good', async () => {
    const { encoded, joins } = await run({ first: [1], chunks: [0], encode: failing({ 1: ['EncodingFailed'] }) });
    expect(encoded.map(({ chunk }) => chunk)).toEqual([1]);
    expect(joins).toEqual([{ ...job, failed: true }]);
  });

  it('sends each task to its queue, in its message group and with a task token', async () => {
    const { messages } = await run({ chunks: [0, 1] });
    const placed = messages.map(({ QueueUrl, MessageGroupId, MessageBody }) => [
      QueueUrl,
      MessageGroupId,
      MessageBody.taskToken,
    ]);
    expect(placed).toEqual([
      ['${EncodeChunkQueue}', 'acme#0', tokenMarker],
      ['${EncodeChunkQueue}', 'acme#1', tokenMarker],
      ['${JoinChunksQueue}', 'acme#0', tokenMarker],
    ]);
  });

  it('waits for a task as long as an execution runs: it may wait for other jobs', () => {
    expect(definition.States.EncodeChunks.ItemProcessor.States.EncodeChunk).not.toHaveProperty('TimeoutSeconds');
    expect(definition.States.Join).not.toHaveProperty('TimeoutSeconds');
  });

  it('joins only after the last chunk', async () => {
    const ended: number[] = [];
    let endedBeforeJoin: number[] = [];
    await run({
      chunks: [0, 1],
      encode: async (chunk) => {
        // The first chunk outlasts the second.
        if (chunk === 0) await new Promise((resolve) => setImmediate(resolve));
        ended.push(chunk);
      },
      join: () => {
        endedBeforeJoin = [...ended];
      },
    });
    expect(endedBeforeJoin.sort()).toEqual([0, 1]);
  });

  it('encodes at most the configured number of chunks at the same time', async () => {
    let now = 0;
    let maxRunning = 0;
    const { encoded } = await run({
      chunks: [0, 1, 2, 3, 4, 5, 6],
      encode: async () => {
        now += 1;
        maxRunning = Math.max(maxRunning, now);
        await new Promise((resolve) => setImmediate(resolve));
        now -= 1;
      },
    });
    expect(maxRunning).toBe(3);
    expect(encoded).toHaveLength(7);
  });

  it('times out after the configured time', () => expect(definition.TimeoutSeconds).toBe(60));
});

describe('a chunk', () => {
  it.each(['TaskFailed', 'TaskLost', 'States.Timeout'])('that fails with %s is retried alone, twice', async (name) => {
    const { timesOf, joins } = await run({ chunks: [0, 1, 2], encode: failing({ 1: [name, name] }) });
    expect([0, 1, 2].map(timesOf)).toEqual([1, 3, 1]);
    expect(joins).toEqual([{ ...job, failed: false }]);
  });

  it.each(['SQS.SdkClientException', 'SQS.AmazonSQSException'])(
    'that SQS does not take, with %s, is sent again for two minutes on average',
    async (name) => {
      const failures = Array.from({ length: 15 }, () => name);
      const { timesOf, joins } = await run({ chunks: [0], encode: failing({ 0: [...failures] }) });
      expect(timesOf(0)).toBe(16);
      expect(joins).toEqual([{ ...job, failed: false }]);
      const retrier = firstMatchingError(name, definition.States.EncodeChunks.ItemProcessor.States.EncodeChunk?.Retry);
      const longest = failures.map((_, tries) => retryAfterMs(retrier ?? { ErrorEquals: [] }, tries));
      expect(longest.reduce((sum, ms) => sum + ms / 2, 0)).toBeGreaterThan(120_000);
    },
  );

  it('that fails for the third time is not retried', async () => {
    const name = 'TaskFailed';
    const { timesOf, joins } = await run({ chunks: [0], encode: failing({ 0: [name, name, name] }) });
    expect(timesOf(0)).toBe(3);
    expect(joins).toEqual([{ ...job, failed: true }]);
  });

  it('whose encoding failed is not retried: it would fail again', async () => {
    const { timesOf, joins, failure } = await run({ chunks: [0], encode: failing({ 0: ['EncodingFailed'] }) });
    expect(timesOf(0)).toBe(1);
    expect(joins).toEqual([{ ...job, failed: true }]);
    expect(failure).toBeUndefined();
  });
});

describe('joining', () => {
  it('is retried when it fails', async () => {
    const names = ['TaskLost', 'TaskFailed'];
    const { joins, failure } = await run({
      chunks: [0],
      join: () => {
        const name = names.shift();
        if (name !== undefined) throw new Failure(name);
      },
    });
    expect(joins.map(({ failed }) => failed)).toEqual([false, false, false]);
    expect(failure).toBeUndefined();
  });

  it('that fails finally invokes join-chunks with failed: true', async () => {
    const { joins, failure } = await run({
      chunks: [0],
      join: ({ failed }) => {
        if (!failed) throw new Failure('TaskFailed');
      },
    });
    expect(joins.map(({ failed }) => failed)).toEqual([false, false, false, true]);
    expect(failure).toBeUndefined();
  });

  it('whose failure cannot be reported fails the execution, which reconcile detects', async () => {
    const { failure } = await run({
      chunks: [0],
      join: () => {
        throw new Failure('TaskFailed');
      },
    });
    expect(failure).toContain('TaskFailed');
  });
});

/** Of a stream in three codecs. */
const maxTasks = 3 * maxChunks + maxAudioChunks;

it('the maximum number of tasks and their outputs fit into one state', async () => {
  const maxBytes = 262_144;
  const group = 'g'.repeat(128);
  const chunks = Array.from({ length: maxTasks }, (_, chunk) => ({ chunk, group }));
  const input = { ...job, planKey: 'k'.repeat(1024), first: [], chunks, group };
  const { ResultPath: _, Next: __, Catch: ___, ...map } = definition.States.EncodeChunks;
  const { result } = machineOf({
    StartAt: 'EncodeChunks',
    States: { EncodeChunks: { ...map, End: true } },
  }).run(input, { overrides: { taskResourceLocalHandlers: { EncodeChunk: (() => answer) as never } } });
  const collected = await result;
  expect(collected).toHaveLength(maxTasks);
  const bytes = Buffer.byteLength(JSON.stringify(input)) + Buffer.byteLength(JSON.stringify(collected));
  expect(bytes).toBeLessThan(maxBytes / 2);
});

it('the events of the maximum number of tasks, each of them retried twice, fit into one history', () => {
  // An iteration with a task token has eight events, and each failed attempt four more, from TaskScheduled to TaskFailed.
  const [events, retries, maxEvents] = [8, 2 * 4, 25_000];
  expect(maxTasks * (events + retries)).toBeLessThan(maxEvents);
});
