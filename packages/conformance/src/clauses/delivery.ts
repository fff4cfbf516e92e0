import { type Clause, type SuiteRun, webhookSection } from '../clause.ts';
import { expect, expectEqual } from '../expectation.ts';
import { submit, unreachableInputRequest, waitForTerminalState } from '../jobs/jobs.ts';
import type { ReceivedPost, Reply } from '../receiver.ts';
import { expectNoMoreWebhooks } from './webhooks.ts';

/** The sender rounds to whole milliseconds, so a delay may be slightly shorter on another clock. */
const clockToleranceMs = 2;

export const delivery: Clause[] = webhookSection('Events, delivery and retry', [
  {
    id: 'delivery.1',
    sentence: 'A delivery succeeds when the target answers with a 2xx status.',
    check: async (run) => {
      const all = await Promise.all([200, 204, 299].map((status) => delivered(run, [status], 1)));
      await Promise.all(all.map(({ inbox }) => expectNoMoreWebhooks(run, inbox, { count: 1, why: 'returned 2xx' })));
    },
  },
  {
    id: 'delivery.2.non-2xx',
    sentence: 'When the target answers non-2xx',
    check: async (run) => {
      await Promise.all([302, 404, 503].map((status) => delivered(run, [status, 200], 2)));
    },
  },
  {
    id: 'delivery.2.unreachable',
    sentence: 'or is unreachable, delivery is retried with backoff:',
    check: async (run) => {
      await delivered(run, ['hang-up', 200], 2);
    },
  },
  {
    id: 'delivery.2.attempt-1',
    sentence: 'attempt 1 immediately;',
    check: async (run) => {
      const { posts, endedAtMs } = await delivered(run, [200], 1);
      const delayMs = Math.round((posts[0]?.arrivedAtMs ?? Number.NaN) - endedAtMs);
      expect(delayMs < run.timeouts.immediatelyMs, `attempt 1 arrived ${delayMs} ms after the job was seen to end`);
    },
  },
  {
    id: 'delivery.2.attempt-2',
    sentence: 'attempt 2 after a delay of 500 ms;',
    check: async (run) => {
      const { posts } = await delivered(run, [503, 200], 2);
      expectDelay(run, posts, { attempt: 2, promisedMs: 500 });
    },
  },
  {
    id: 'delivery.2.attempt-3',
    sentence: 'attempt 3 after a delay of 1 second.',
    check: async (run) => {
      const { posts } = await delivered(run, [503, 503, 200], 3);
      expectDelay(run, posts, { attempt: 3, promisedMs: 1_000 });
    },
  },
  {
    id: 'delivery.3',
    sentence:
      'After 3 failed attempts the webhook is abandoned; the job result remains readable via `GET /api/v1/jobs/:id`.',
    check: expectAbandonedAfterThree,
  },
]);

/** Expects exactly three attempts, and that the job is still readable. */
export function expectAbandonedAfterThree(run: SuiteRun): Promise<void> {
  return run.once('an abandoned webhook', () => abandonOne(run));
}

async function abandonOne(run: SuiteRun): Promise<void> {
  const { inbox, jobId } = await delivered(run, [500], 3);
  await expectNoMoreWebhooks(run, inbox, { count: 3, why: 'always fails' });
  const job = await waitForTerminalState(run, jobId);
  expectEqual(job.jobId, jobId, 'jobId of the job whose webhook was abandoned');
}

/** Runs a job whose target replies like this, and waits for `attempts` requests. */
async function delivered(run: SuiteRun, replies: Reply[], attempts: number) {
  const inbox = run.inbox(replies);
  const jobId = await submit(run, { ...unreachableInputRequest, webhookUrl: inbox.url });
  await waitForTerminalState(run, jobId);
  const endedAtMs = performance.now();
  const posts = await inbox.waitForPosts(attempts, run.timeouts.webhookMs);
  return { inbox, jobId, posts, endedAtMs };
}

/** Expects the promised delay since the previous attempt: not shorter, and longer by at most `immediatelyMs`. */
function expectDelay(
  { timeouts }: SuiteRun,
  posts: readonly ReceivedPost[],
  { attempt, promisedMs }: { attempt: number; promisedMs: number },
): void {
  const [before, after] = [posts[attempt - 2], posts[attempt - 1]];
  if (!before || !after) throw new Error(`Attempt ${attempt} is not among ${posts.length}.`);
  const delayMs = after.arrivedAtMs - before.answeredAtMs;
  expect(
    delayMs >= promisedMs - clockToleranceMs && delayMs <= promisedMs + timeouts.immediatelyMs,
    `attempt ${attempt} arrived ${Math.round(delayMs)} ms after the previous one`,
  );
}

export async function expectRetryDelays(run: SuiteRun): Promise<void> {
  const { posts } = await delivered(run, [503, 503, 200], 3);
  expectDelay(run, posts, { attempt: 2, promisedMs: 500 });
  expectDelay(run, posts, { attempt: 3, promisedMs: 1_000 });
}
