import { Broken, expectField } from '../expectation.ts';
import type { Ending } from '../jobs/endings.ts';
import type { Post } from '../receiver.ts';
import type { Run } from '../run.ts';

export type Payload = { data: Record<string, unknown>; payload: Record<string, unknown>; post: Post };

/** The webhook about the job that ended so, read. */
export async function payloadOf(run: Run, ending: Ending): Promise<Payload> {
  const { inbox, jobId } = await run.ended(ending);
  if (!inbox) throw new Broken('the suite has no web server: this clause lacks its need "receiver"');
  const [post] = await inbox.arrived(1, run.patience.webhookMs).catch((cause) => {
    throw new Broken(`no webhook came about the ${ending} job ${jobId}`, { cause });
  });
  return readPost(post as Post);
}

/** @throws Broken where the body is not JSON with `data` */
export function readPost(post: Post): Payload {
  let payload: unknown;
  try {
    payload = JSON.parse(post.body);
  } catch (cause) {
    throw new Broken(`the webhook's body is not JSON: ${post.body.slice(0, 100)}`, { cause });
  }
  const data = expectField(payload, 'data', 'object');
  return { data, payload: payload as Record<string, unknown>, post };
}
