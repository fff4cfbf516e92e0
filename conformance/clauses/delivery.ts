import { type Clause, section } from '../clause.ts';
import { expect, expectEqual } from '../expectation.ts';
import { submit, unreachableInputRequest, waitForTerminalState } from '../jobs/submit.ts';
import type { ReceivedPost, Reply } from '../receiver.ts';
import type { SuiteRun } from '../run.ts';
import { expectNoMoreWebhooks } from './expect-no-more-webhooks.ts';

/** Times are whole milliseconds at the sender: what it calls 500 ms may be a hair less on another clock. */
const clockMs = 2;

const needs = ['receiver'] as const;

export const delivery: Clause[] = section('Events, delivery and retry', [
  {
    id: 'delivery.1',
    sentence: 'A delivery succeeds when the target answers with a 2xx status.',
    needs,
    check: async (run) => {
      const all = await Promise.all([200, 204, 299].map((status) => delivered(run, [status], 1)));
      await Promise.all(
        all.map(({ inbox }) => expectNoMoreWebhooks(run, inbox, { count: 1, why: 'answered 2xx' })),
      );
    },
  },
  {
    id: 'delivery.2.non-2xx',
    sentence: 'When the target answers non-2xx',
    needs,
    check: async (run) => {
      await Promise.all([302, 404, 503].map((status) => delivered(run, [status, 200], 2)));
    },
  },
  {
    id: 'delivery.2.unreachable',
    sentence: 'or is unreachable, delivery is retried with backoff:',
    needs,
    check: async (run) => {
      await delivered(run, ['hang-up', 200], 2);
    },
  },
  {
    id: 'delivery.2.attempt-1',
    sentence: 'attempt 1 immediately;',
    needs,
    check: async (run) => {
      const { posts, endedAtMs } = await delivered(run, [200], 1);
      const afterMs = Math.round((posts[0]?.arrivedAtMs ?? Number.NaN) - endedAtMs);
      expect(
        afterMs < run.timeouts.immediatelyMs,
        `attempt 1 came ${afterMs} ms after the job was seen to end`,
      );
    },
  },
  {
    id: 'delivery.2.attempt-2',
    sentence: 'attempt 2 after a delay of 500 ms;',
    needs,
    check: async (run) => {
      const { posts } = await delivered(run, [503, 200], 2);
      expectDelay(run, posts, { attempt: 2, promisedMs: 500 });
    },
  },
  {
    id: 'delivery.2.attempt-3',
    sentence: 'attempt 3 after a delay of 1 second.',
    needs,
    check: async (run) => {
      const { posts } = await delivered(run, [503, 503, 200], 3);
      expectDelay(run, posts, { attempt: 3, promisedMs: 1_000 });
    },
  },
  {
    id: 'delivery.3',
    sentence:
      'After 3 failed attempts the webhook is abandoned; the job result remains readable via `GET /api/v1/jobs/:id`.',
    needs,
    check: expectAbandonedAfterThree,
  },
]);

/** Expects three attempts and no fourth, and that the job is read as before. */
export function expectAbandonedAfterThree(run: SuiteRun): Promise<void> {
  return run.once('an abandoned webhook', () => abandonOne(run));
}

async function abandonOne(run: SuiteRun): Promise<void> {
  const { inbox, jobId } = await delivered(run, [500], 3);
  await expectNoMoreWebhooks(run, inbox, { count: 3, why: 'always fails' });
  const job = await waitForTerminalState(run, jobId);
  expectEqual(job.jobId, jobId, 'jobId of the job whose webhook was abandoned');
}

/** Ends a job whose target replies so, and waits for so many attempts. */
async function delivered(run: SuiteRun, replies: Reply[], attempts: number) {
  const inbox = run.inbox(replies);
  const jobId = await submit(run, { ...unreachableInputRequest, webhookUrl: inbox.url });
  await waitForTerminalState(run, jobId);
  const endedAtMs = performance.now();
  const posts = await inbox.waitForPosts(attempts, run.timeouts.webhookMs);
  return { inbox, jobId, posts, endedAtMs };
}

/** Expects the delay from the end of the attempt before: never less, nor more than what "immediately" may take. */
function expectDelay(
  { timeouts }: SuiteRun,
  posts: readonly ReceivedPost[],
  { attempt, promisedMs }: { attempt: number; promisedMs: number },
): void {
  const [before, after] = [posts[attempt - 2], posts[attempt - 1]];
  if (!before || !after) throw new Error(`Attempt ${attempt} is not among ${posts.length}.`);
  const delayMs = after.arrivedAtMs - before.answeredAtMs;
  expect(
    delayMs >= promisedMs - clockMs && delayMs <= promisedMs + timeouts.immediatelyMs,
    `attempt ${attempt} came ${Math.round(delayMs)} ms after the one before`,
  );
}

/** Expects the delays of all three attempts. */
export async function expectRetryDelays(run: SuiteRun): Promise<void> {
  const { posts } = await delivered(run, [503, 503, 200], 3);
  expectDelay(run, posts, { attempt: 2, promisedMs: 500 });
  expectDelay(run, posts, { attempt: 3, promisedMs: 1_000 });
}
