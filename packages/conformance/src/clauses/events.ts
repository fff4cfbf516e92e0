import { type Clause, type SuiteRun, webhookSection } from '../clause.ts';
import { expect, expectEqual } from '../expectation.ts';
import { setDefaultWebhook, withDefaultWebhook } from '../jobs/default-webhook.ts';
import { submit, terminalStates, unreachableInputRequest, waitForTerminalState } from '../jobs/jobs.ts';
import { expectOwnUrlElseDefault } from './endpoint-rules.ts';
import { expectNoMoreWebhooks, parsePost, webhookPayload } from './webhooks.ts';

export const events: Clause[] = webhookSection('Events', [
  {
    id: 'events.post',
    sentence: 'The only event is a webhook notification: an HTTP POST with a JSON body',
    check: async (run) => {
      const { post } = await webhookPayload(run, 'completed');
      expectEqual(post.method, 'POST', 'the method of a webhook');
      const isJson = /^application\/json\b/.test(post.contentType);
      expect(isJson, `the content type of a webhook is ${post.contentType}`);
    },
  },
  {
    id: 'events.target',
    sentence:
      "sent to the job's target URL (the job's `webhookUrl`, else the default webhook URL) when the job reaches a terminal state (`completed`, `failed`, `rejected`, `cancelled`).",
    check: expectOwnUrlElseDefault,
  },
  {
    id: 'events.emitted',
    sentence:
      'It is emitted by job completion logic, not by any client call; job creation with `webhookUrl` or the settings endpoints only configure the target.',
    check: onlyByTheEnd,
  },
]);

async function onlyByTheEnd(run: SuiteRun): Promise<void> {
  const [own, byDefault] = [run.inbox(), run.inbox()];
  await withDefaultWebhook(run, byDefault.url, async () => {
    await setDefaultWebhook(run, 'POST', byDefault.url);
    const jobId = await submit(run, { ...unreachableInputRequest, webhookUrl: own.url });
    await waitForTerminalState(run, jobId);
    await own.waitForPosts(1, run.timeouts.webhookMs);
    await expectNoMoreWebhooks(run, own, { count: 1, why: 'has one job' });
  });
  expectEqual(byDefault.posts.length, 0, 'the number of webhooks that setting the default caused');
  for (const post of own.posts) {
    const state = String(parsePost(post).data.state);
    expect(terminalStates.includes(state), `a webhook came of a job that is ${state}`);
  }
}
