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

/** Sends one sample webhook to the default URL, with the signature and the address checks of every webhook. */
export function testWebhook(deps: TestWebhookDeps): RouteApp<typeof testWebhookContract> {
  return async ({ principal: { ownerId } }) => {
    const { defaultWebhookUrl: url } = await deps.settings.get(ownerId);
    if (url === null) {
      throw new AppError('WEBHOOK_NOT_CONFIGURED', 'There is no default webhook URL to test: set one first.');
    }
    const payload = samplePayload({ id: deps.newId(), now: deps.clock.now() });
    const outcome = await postSignedWebhook(deps, {
      id: webhookId(payload.data.jobId),
      url,
      body: JSON.stringify(payload),
      secrets: await activeSigningSecrets(deps, ownerId),
    });
    return { status: 200, body: webhookTestResult(outcome) };
  };
}
