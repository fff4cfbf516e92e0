import { setTimeout as sleep } from 'node:timers/promises';
import { type Clause, type SuiteRun, section } from '../clause.ts';
import { ClauseViolation, expect, expectEqual, expectField, fieldAt } from '../expectation.ts';
import { expectSuccess } from '../http/call.ts';
import { submit, terminalStates, unreachableInputRequest, waitForTerminalState } from '../jobs/jobs.ts';
import type { Inbox } from '../receiver.ts';
import { expectNoMoreWebhooks, parsePost } from './webhooks.ts';

/** What the service promises beyond the specification, where a second implementation could differ. */
export const additions: Clause[] = section('Additions', [
  {
    id: 'additions.feed',
    sentence: 'The feed lists each change of the state of a job once, oldest first, in pages of any size.',
    check: async (run) => {
      const { events, after } = await eventsOfAJob(run);
      const states = events.map((event) => fieldAt(event, 'data.state'));
      expect(states[0] === 'queued' && terminalStates.includes(String(states.at(-1))), `its states are ${states}`);
      expectEqual(new Set(events.map((event) => event.id)).size, events.length, 'the number of different ids');
      const singly: unknown[] = [];
      for (let cursor = after; ; ) {
        const page = await readFeed(run, `limit=1&after=${cursor}`);
        if (page.events.length === 0) break;
        singly.push(...page.events);
        cursor = page.nextCursor;
      }
      const idsOf = (all: unknown[]) => all.map((event) => fieldAt(event, 'id')).filter((id) => isOf(events, id));
      expectEqual(idsOf(singly), idsOf(events), 'the order of events in pages of one');
    },
  },
  {
    id: 'additions.stream',
    sentence: 'As a stream of server-sent events it has the same events, and each `id` continues behind its event.',
    check: async (run) => {
      const { events, after } = await eventsOfAJob(run);
      const headers = { accept: 'text/event-stream' };
      const { text, headers: answered } = await run.api('GET', `/api/v1/events?limit=100&after=${after}`, { headers });
      const type = answered.get('content-type') ?? 'none';
      expect(type.startsWith('text/event-stream'), `the content type of the stream is ${type}`);
      const sent = [...text.matchAll(/^id: (.+)\ndata: (.+)$/gm)].map(([, cursor, data]) => ({ cursor, data }));
      const ids = sent.map(({ data = '' }) => fieldAt(JSON.parse(data), 'id')).filter((id) => isOf(events, id));
      const expected = events.map(({ id }) => id);
      expectEqual(ids, expected, 'the ids of the events in the stream');
      const [first] = sent;
      const next = await run.api('GET', '/api/v1/events?limit=100', {
        headers: { ...headers, 'last-event-id': first?.cursor ?? '' },
      });
      expect(!next.text.includes(first?.data ?? ''), 'the stream repeats the event of `Last-Event-ID`');
    },
  },
  {
    id: 'additions.endpoints',
    sentence: 'A webhook endpoint gets the events of its states, once each, beside the target of the job.',
    needs: ['receiver'],
    check: async (run) => {
      const [target, wanted, unwanted] = [run.inbox(), run.inbox([500, 200]), run.inbox()];
      const made = [await addEndpoint(run, wanted, 'rejected'), await addEndpoint(run, unwanted, 'completed')];
      try {
        const jobId = await submit(run, { ...unreachableInputRequest, webhookUrl: target.url });
        await waitForTerminalState(run, jobId);
        const [first] = await target.waitForPosts(1, run.timeouts.webhookMs);
        const [failed, repeated] = await wanted.waitForPosts(2, run.timeouts.webhookMs);
        for (const post of [first, failed, repeated]) {
          expectEqual(post && parsePost(post).data.jobId, jobId, 'jobId in a webhook');
        }
        expectEqual(failed?.webhookId, repeated?.webhookId, 'the webhook-id of a repeated attempt');
        expect(first?.webhookId !== failed?.webhookId, 'target and endpoint have the same webhook-id');
        await expectNoMoreWebhooks(run, wanted, { count: 2, why: 'accepted the event' });
        expectEqual(unwanted.posts.length, 0, 'the number of webhooks of states that an endpoint does not want');
      } finally {
        for (const id of made) await run.api('DELETE', `/api/v1/webhook-endpoints/${id}`);
      }
    },
  },
]);

type Feed = { events: Record<string, unknown>[]; nextCursor: string };

const isOf = (events: Feed['events'], id: unknown) => events.some((event) => event.id === id);

async function readFeed({ api }: SuiteRun, query: string): Promise<Feed> {
  const page = expectSuccess(await api('GET', `/api/v1/events?${query}`));
  expect(Array.isArray(page.events), 'events is not a list');
  return { events: page.events, nextCursor: expectField(page, 'nextCursor', 'string') };
}

/** The events of a job that ended just now, from the cursor before it. */
function eventsOfAJob(run: SuiteRun): Promise<{ events: Feed['events']; after: string }> {
  return run.once('events of a job', async () => {
    let { nextCursor: after } = await readFeed(run, `after=${new Date().toISOString()}`);
    const before = after;
    const jobId = await submit(run, unreachableInputRequest);
    const events: Feed['events'] = [];
    const deadlineMs = performance.now() + run.timeouts.jobMs;
    while (!events.some((event) => terminalStates.includes(String(fieldAt(event, 'data.state'))))) {
      if (performance.now() > deadlineMs) throw new ClauseViolation(`the feed has no end of job ${jobId}`);
      const page = await readFeed(run, `limit=100&after=${after}`);
      events.push(...page.events.filter((event) => event.jobId === jobId));
      after = page.nextCursor;
      await sleep(250);
    }
    return { events, after: before };
  });
}

async function addEndpoint({ api }: SuiteRun, { url }: Inbox, state: string): Promise<string> {
  const made = expectSuccess(await api('POST', '/api/v1/webhook-endpoints', { body: { url, states: [state] } }));
  return expectField(made, 'id', 'string');
}
