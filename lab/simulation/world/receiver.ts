import type { PostOutcome } from '../../../core/net/ports.ts';
import type { AttemptRef } from '../../../core/webhooks/delivery.ts';
import type { PostWebhookDeps } from '../../../core/webhooks/signature.ts';
import type { Invocation } from './invocation-types.ts';
import type { World } from './world.ts';

/**
 * The answer of a receiver, from its URL `https://<owner>.example/<manner>`: `willing` accepts everything, `unwilling`
 * nothing, `hesitant` rejects the first two POSTs of each event and `recovering` the first four, `hanging` does not answer
 * within the time limit, `lagging` accepts everything after nine seconds. Each port is an origin of its own.
 */
function statusOf(url: string, postsBefore: number): number {
  const [, manner] = new URL(url).pathname.split('/');
  if (manner === 'willing' || manner === 'lagging') return 204;
  const rejected = manner === 'hesitant' ? 2 : 4;
  return (manner === 'hesitant' || manner === 'recovering') && postsBefore >= rejected ? 200 : 503;
}

const timeLimitMs = 10_000;
const laggingMs = 9_000;

const timedOut: PostOutcome = {
  ok: false,
  latencyMs: timeLimitMs,
  responseBody: '',
  errorClass: 'timeout',
  error: 'No answer.',
};

/** All receivers of a world. A POST never throws: a failure is an outcome. */
export function receiversOf(world: World) {
  const posts = new Map<string, number>();
  return ({ app, id, call, clock }: Invocation, { jobId, deliveryId, attempt }: AttemptRef): PostWebhookDeps['post'] =>
    async ({ url, headers, body }) => {
      const sentAt = world.scheduler.now();
      const isHanging = url.endsWith('/hanging');
      const slowMs = url.endsWith('/lagging') ? laggingMs : 0;
      const endsAt = sentAt + (isHanging ? timeLimitMs : slowMs);
      const receive = async (): Promise<PostOutcome> => {
        const webhookId = headers['webhook-id'];
        const before = posts.get(`${webhookId}`) ?? 0;
        posts.set(`${webhookId}`, before + 1);
        const status = statusOf(url, before);
        const post = { jobId, deliveryId, attempt, url, webhookId, body, sentAt, endsAt, status };
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
      const outcome = await call('post', receive, { instead: async () => timedOut, once: true });
      await clock.sleep(endsAt - clock.now().getTime());
      return isHanging ? timedOut : { ...outcome, latencyMs: Math.max(outcome.latencyMs, slowMs) };
    };
}
