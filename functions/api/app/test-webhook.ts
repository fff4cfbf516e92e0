import type { testWebhookContract } from '../../../core/api/webhook-settings.ts';
import { AppError } from '../../../core/errors.ts';
import { webhookId } from '../../../core/webhooks/delivery.ts';
import { samplePayload, webhookTestResult } from '../../../core/webhooks/test-webhook.ts';
import type { RouteApp } from '../../runtime/http/route.ts';
import {
  activeSigningSecrets,
  type PostWebhookDeps,
  postSignedWebhook,
} from '../../webhooks/post-signed-webhook.ts';

export type TestWebhookDeps = PostWebhookDeps & { newId: () => string };

/** Sends a sample to the default URL, once, over the same guarded connection and signed as a real webhook is. */
export function testWebhook(ports: TestWebhookDeps): RouteApp<typeof testWebhookContract> {
  return async ({ principal: { ownerId } }) => {
    const { defaultWebhookUrl: url } = await ports.settings.get(ownerId);
    if (url === null) {
      throw new AppError('WEBHOOK_NOT_CONFIGURED', 'There is no default webhook URL to test: set one first.');
    }
    const payload = samplePayload({ id: ports.newId(), now: ports.clock.now() });
    const outcome = await postSignedWebhook(ports, {
      id: webhookId(payload.data.jobId),
      url,
      body: JSON.stringify(payload),
      secrets: await activeSigningSecrets(ports, ownerId),
    });
    return { status: 200, body: webhookTestResult(outcome) };
  };
}
