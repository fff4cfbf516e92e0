import { setTimeout as sleep } from 'node:timers/promises';
import type { SampleJobKind, SuiteRun } from '../clause.ts';
import { ClauseViolation, expect, expectField } from '../expectation.ts';
import type { Inbox, ReceivedPost } from '../receiver.ts';

export type WebhookPayload = {
  data: Record<string, unknown>;
  payload: Record<string, unknown>;
  post: ReceivedPost;
};

/** Waits for the webhook of a sample job and parses it. */
export async function webhookPayload(run: SuiteRun, kind: SampleJobKind): Promise<WebhookPayload> {
  const { inbox, jobId } = await run.sampleJob(kind);
  if (!inbox) {
    throw new ClauseViolation('the suite has no webhook receiver: the clause lacks needs: ["receiver"]');
  }
  const [post] = await inbox.waitForPosts(1, run.timeouts.webhookMs).catch((cause) => {
    throw new ClauseViolation(`no webhook arrived for the ${kind} job ${jobId}`, { cause });
  });
  return parsePost(post as ReceivedPost);
}

/** @throws ClauseViolation unless the body is JSON with an object `data` */
export function parsePost(post: ReceivedPost): WebhookPayload {
  let payload: unknown;
  try {
    payload = JSON.parse(post.body);
  } catch (cause) {
    throw new ClauseViolation(`the body of the webhook is not JSON: ${post.body.slice(0, 100)}`, { cause });
  }
  const data = expectField(payload, 'data', 'object');
  return { data, payload: payload as Record<string, unknown>, post };
}

/** Expects that a URL receives no more than `count` webhooks for a while. `why` describes the URL. */
export async function expectNoMoreWebhooks(
  { timeouts }: SuiteRun,
  { posts }: Inbox,
  { count, why }: { count: number; why: string },
): Promise<void> {
  const deadlineMs = performance.now() + timeouts.silenceMs;
  do {
    expect(posts.length <= count, `a URL that ${why} received ${posts.length} webhooks instead of ${count}`);
    await sleep(20);
  } while (performance.now() < deadlineMs);
}
