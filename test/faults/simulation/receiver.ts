import type { PostOutcome } from '../../../core/net/post-outcome.ts';
import type { DeliverWebhookInput } from '../../../functions/deliver-webhook/app.ts';
import type { PostWebhookDeps } from '../../../functions/webhooks/post-signed-webhook.ts';
import type { Invocation } from './invocation-types.ts';
import type { World } from './world.ts';

/**
 * The answer of a receiver, from its URL `https://<owner>.example/<manner>`: `willing` accepts everything, `unwilling`
 * nothing, `hesitant` rejects the first two POSTs of each job.
 */
function statusOf(url: string, postsBefore: number): number {
  const [, manner] = new URL(url).pathname.split('/');
  if (manner === 'willing') return 204;
  return manner === 'hesitant' && postsBefore >= 2 ? 200 : 503;
}

/** All receivers of a world. A POST never throws: a failure is an outcome. */
export function receiversOf(world: World) {
  const posts = new Map<string, number>();
  return (
    { app, id, call }: Invocation,
    { jobId, deliveryId, attempt }: DeliverWebhookInput,
  ): PostWebhookDeps['post'] =>
    ({ url, headers, body }) => {
      const sentAt = world.scheduler.now();
      const receive = async (): Promise<PostOutcome> => {
        const before = posts.get(jobId) ?? 0;
        posts.set(jobId, before + 1);
        const status = statusOf(url, before);
        const webhookId = headers['webhook-id'];
        const post = { jobId, deliveryId, attempt, url, webhookId, body, sentAt, status };
        world.log({ kind: 'posted', app, invocation: id, post });
        if (status < 300) return { ok: true, status, latencyMs: 5, responseBody: '' };
        return {
          ok: false,
          status,
          latencyMs: 5,
          responseBody: '',
          errorClass: 'http-status',
          error: 'Refused.',
        };
      };
      const unknown = async (): Promise<PostOutcome> => ({
        ok: false,
        latencyMs: 10_000,
        responseBody: '',
        errorClass: 'timeout',
        error: 'No answer.',
      });
      return call('post', receive, { instead: unknown, once: true });
    };
}
