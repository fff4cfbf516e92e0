import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { maxConcurrentTests, type Tenancy } from '../../core/access/owner.ts';
import { limitExceeded } from '../../core/access/owner-limits.ts';
import { exampleVideo } from '../../core/api/job-examples.ts';
import type { testWebhookContract } from '../../core/api/webhook-settings.ts';
import { type LimitDeps, withinLimit } from '../../core/concurrency-limit.ts';
import { AppError } from '../../core/errors.ts';
import type { PostOutcome } from '../../core/net/ports.ts';
import type { OwnerSettings } from '../../core/settings/owner-settings.ts';
import { webhookId, webhookTestExpiryMs, webhookTestLimits } from '../../core/webhooks/delivery.ts';
import type { WebhookPayload } from '../../core/webhooks/payload.ts';
import { activeSigningSecrets, type PostWebhookDeps, postSignedWebhook } from '../../core/webhooks/signature.ts';

export type TestWebhookDeps = PostWebhookDeps & LimitDeps & { tenancy: Tenancy };

/**
 * Sends one sample webhook to the default URL, with the signature and the address checks of every webhook. Each test
 * holds a function until the receiver responds: see `maxConcurrentTests`.
 */
export function testWebhook(deps: TestWebhookDeps): RouteApp<typeof testWebhookContract> {
  return async ({ principal: { ownerId } }) => {
    const settings = await deps.settings.get(ownerId);
    const { defaultWebhookUrl: url } = settings;
    if (url === null) {
      throw new AppError('WEBHOOK_NOT_CONFIGURED', 'There is no default webhook URL to test: set one first.');
    }
    const rule = { limit: ownerId, max: maxConcurrentTests(deps.tenancy), expiryMs: webhookTestExpiryMs };
    return withinLimit(deps, rule, {
      call: () => sendTest(deps, { settings, url, testId: deps.newId() }),
      refused: refuseTest,
    });
  };
}

async function sendTest(
  deps: TestWebhookDeps,
  { settings, url, testId }: { settings: OwnerSettings; url: string; testId: string },
) {
  const payload = samplePayload({ id: testId, now: deps.clock.now() });
  const outcome = await postSignedWebhook(deps, {
    id: webhookId(payload.data.jobId),
    url,
    body: JSON.stringify(payload),
    secrets: await activeSigningSecrets(deps, settings),
  });
  return { status: 200, body: webhookTestResult(outcome) } as const;
}

function refuseTest(): never {
  throw limitExceeded(
    { limit: 'maxRunningWebhookTests', value: 1, use: 1, retryAfterSeconds: webhookTestLimits.totalMs / 1_000 },
    'A webhook test is running; wait for its response.',
  );
}

/** A sample payload: a completed job whose `jobId` starts with `test_` and whose URLs do not resolve. */
export function samplePayload({ id, now }: { id: string; now: Date }): WebhookPayload {
  const jobId = `test_${id}`;
  const url = `https://files.example/${jobId}/output.mp4`;
  return {
    data: {
      jobId,
      state: 'completed',
      progress: 100,
      output: { signedUrl: url },
      output_files: {
        output: {
          file_id: `${jobId}-output`,
          filename: 'output.mp4',
          size_mbytes: 1.5,
          duration: 10,
          ...exampleVideo,
          storage_url: url,
        },
      },
    },
    timestamp: now.getTime(),
  };
}

/**
 * The result of a webhook test: the target's status. Without a response it is a gateway's status: 504 for a timeout,
 * else 502.
 */
export function webhookTestResult(outcome: PostOutcome): { ok: boolean; status: number } {
  if (outcome.ok) return { ok: true, status: outcome.status };
  const { status, errorClass } = outcome;
  if (status !== undefined) return { ok: false, status };
  const timedOut = errorClass === 'timeout' || errorClass === 'connect-timeout';
  return { ok: false, status: timedOut ? 504 : 502 };
}
