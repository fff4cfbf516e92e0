import { ClauseViolation, expectField } from '../expectation.ts';
import type { SampleJobKind } from '../jobs/sample-jobs.ts';
import type { ReceivedPost } from '../receiver.ts';
import type { SuiteRun } from '../run.ts';

export type WebhookPayload = {
  data: Record<string, unknown>;
  payload: Record<string, unknown>;
  post: ReceivedPost;
};

/** The webhook about the job that ended so, read. */
export async function webhookPayload(run: SuiteRun, ending: SampleJobKind): Promise<WebhookPayload> {
  const { inbox, jobId } = await run.sampleJob(ending);
  if (!inbox) throw new ClauseViolation('the suite has no web server: this clause lacks its need "receiver"');
  const [post] = await inbox.waitForPosts(1, run.timeouts.webhookMs).catch((cause) => {
    throw new ClauseViolation(`no webhook came about the ${ending} job ${jobId}`, { cause });
  });
  return parsePost(post as ReceivedPost);
}

/** @throws Broken where the body is not JSON with `data` */
export function parsePost(post: ReceivedPost): WebhookPayload {
  let payload: unknown;
  try {
    payload = JSON.parse(post.body);
  } catch (cause) {
    throw new ClauseViolation(`the webhook's body is not JSON: ${post.body.slice(0, 100)}`, { cause });
  }
  const data = expectField(payload, 'data', 'object');
  return { data, payload: payload as Record<string, unknown>, post };
}
