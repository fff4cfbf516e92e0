import { type Clause, type SuiteRun, webhookSection } from '../clause.ts';
import { expect, expectEqual, expectField, formatValue } from '../expectation.ts';
import { expectSuccess } from '../http/call.ts';
import { setDefaultWebhook, withDefaultWebhook } from '../jobs/default-webhook.ts';
import { submit, unreachableInputRequest, waitForTerminalState } from '../jobs/jobs.ts';
import type { Inbox } from '../receiver.ts';
import { expectNoMoreWebhooks, parsePost } from './webhooks.ts';

export const endpointRules: Clause[] = webhookSection('Endpoints, rules', [
  {
    id: 'rules.1',
    sentence:
      'Setting `defaultWebhookUrl` to a URL through POST or PUT on `/api/v1/settings` makes that URL the default webhook target.',
    check: async (run) => {
      await withDefaultWebhook(run, null, async () => {
        for (const method of ['POST', 'PUT'] as const) await becomesTarget(run, method);
      });
    },
  },
  {
    id: 'rules.2',
    sentence: 'PUT with `defaultWebhookUrl` equal to `null` clears the default webhook.',
    check: async (run) => {
      const inbox = run.inbox();
      await withDefaultWebhook(run, inbox.url, async () => {
        await setDefaultWebhook(run, 'PUT', null);
        await waitForTerminalState(run, await submit(run, unreachableInputRequest));
        await expectNoMoreWebhooks(run, inbox, { count: 0, why: 'was cleared as the default' });
      });
    },
  },
  {
    id: 'rules.3.success',
    sentence:
      'POST `/api/v1/settings/webhook/test` sends a sample webhook payload to the configured default URL. The response has `ok` true with `status` carrying the HTTP status (a 200 is given) on success,',
    check: async (run) => {
      const inbox = run.inbox([200]);
      expectEqual(await testResult(run, inbox), { ok: true, status: 200 }, 'the result of a test that succeeds');
      const [sample] = await inbox.waitForPosts(1, run.timeouts.webhookMs);
      if (sample) expectField(parsePost(sample).data, 'jobId', 'string');
    },
  },
  {
    id: 'rules.3.failure',
    sentence: 'and `ok` false with a non-success `status` (a 500 is given) on failure.',
    check: async (run) => {
      const result = await testResult(run, run.inbox([500]));
      expectEqual(result, { ok: false, status: 500 }, 'the result of a test that fails');
    },
  },
  {
    id: 'rules.4',
    sentence: 'When a job has `webhookUrl`, it is used; otherwise the default is used.',
    check: expectOwnUrlElseDefault,
  },
]);

/** Expects the webhook at the job's own URL, and at the default URL only for a job without one. */
export function expectOwnUrlElseDefault(run: SuiteRun): Promise<void> {
  return run.once('webhooks by own URL and by default', () => notifyBoth(run));
}

async function notifyBoth(run: SuiteRun): Promise<void> {
  const [own, byDefault] = [run.inbox(), run.inbox()];
  await withDefaultWebhook(run, byDefault.url, async () => {
    const withOwn = await submit(run, { ...unreachableInputRequest, webhookUrl: own.url });
    await expectWebhookFor(run, own, withOwn, "a job's own webhookUrl");
    const without = await submit(run, unreachableInputRequest);
    await expectWebhookFor(run, byDefault, without, 'the default webhook URL');
  });
}

async function becomesTarget(run: SuiteRun, method: 'POST' | 'PUT'): Promise<void> {
  const inbox = run.inbox();
  await setDefaultWebhook(run, method, inbox.url);
  const jobId = await submit(run, unreachableInputRequest);
  await expectWebhookFor(run, inbox, jobId, `the default webhook URL set by ${method}`);
}

/** Expects that the first webhook in an inbox is that of this job. */
async function expectWebhookFor(run: SuiteRun, inbox: Inbox, jobId: string, whose: string): Promise<void> {
  await waitForTerminalState(run, jobId);
  const [post] = await inbox.waitForPosts(1, run.timeouts.webhookMs).catch(() => []);
  expect(post !== undefined, `${whose} received no webhook for its job`);
  expectEqual(parsePost(post).data.jobId, jobId, `data.jobId at ${whose}`);
}

async function testResult(run: SuiteRun, inbox: Inbox): Promise<object> {
  return withDefaultWebhook(run, inbox.url, async () => {
    const result = expectSuccess(await run.api('POST', '/api/v1/settings/webhook/test'));
    expect(inbox.posts.length > 0, `a test sent nothing to the default URL, and says ${formatValue(result)}`);
    return { ok: result.ok, status: result.status };
  });
}
