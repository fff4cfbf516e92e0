import { randomBytes } from 'node:crypto';
import { ApiError, type OperationResult } from '@media-jobs/client';
import { isTerminalState } from '@media-jobs/core/api';
import { Command } from 'commander';
import { Webhook } from 'standardwebhooks';
import type { CommandContext, CommandFactory } from '../context/command-context.ts';
import { parseWebUrl } from '../request/parse-option.ts';
import { sanitizeLine } from '../show/sanitize.ts';

type JobEvent = OperationResult<'listEvents'>['events'][number];

/** Between two reads of an empty feed. Two minutes of failures end the command. */
const pauseMs = 2_000;
const maxFailures = 60;
const forwardTimeoutMs = 10_000;

export const listenCommand: CommandFactory = (runAction) =>
  new Command('listen')
    .description('Forwards the webhooks of jobs that end from now on to a program on this machine, until Ctrl-C.')
    .requiredOption(
      '--forward <url>',
      'URL that receives each webhook, such as http://localhost:3000/hook',
      parseWebUrl,
    )
    .action(
      runAction(async (context, { forward }: { forward: string }) => {
        const secret = `whsec_${randomBytes(32).toString('base64')}`;
        const webhook = new Webhook(secret);
        context.printNote(`Webhooks are signed with the secret ${secret} until this program ends. Ctrl-C ends it.`);
        for await (const event of newEvents(context)) {
          if (!isTerminalState(event.data.state)) continue;
          const outcome = await post(event, { forward, webhook, context });
          context.printNote(`${event.at}  ${event.type}  ${event.jobId}  ${outcome}`);
        }
        return 'ok';
      }),
    );

/** The events of the feed from now on. An unavailable service is asked again. */
async function* newEvents({ client, signal, sleep, now }: CommandContext): AsyncGenerator<JobEvent> {
  let after = new Date(now()).toISOString();
  let failures = 0;
  for (;;) {
    const page = await client.listEvents({ query: { after, limit: 100 }, signal }).catch((error: unknown) => {
      failures += 1;
      if (!(error instanceof ApiError && error.retryable) || failures > maxFailures) throw error;
      return undefined;
    });
    if (page !== undefined) {
      failures = 0;
      yield* page.events;
      after = page.nextCursor;
    }
    if (!page?.events.length) await sleep(pauseMs, signal);
  }
}

/** POSTs the webhook of an event once, and returns the status or why there is none. */
async function post(
  { jobId, at, data }: JobEvent,
  { forward, webhook, context }: { forward: string; webhook: Webhook; context: CommandContext },
): Promise<string> {
  const [id, sentAt] = [`evt_${jobId}`, new Date(context.now())];
  const body = JSON.stringify({ data, timestamp: Date.parse(at) });
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': webhook.sign(id, sentAt, body),
  };
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(forwardTimeoutMs)]);
  try {
    const response = await fetch(forward, { method: 'POST', redirect: 'manual', headers, body, signal });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    context.signal.throwIfAborted();
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return sanitizeLine(cause instanceof Error ? cause.message || String(cause) : String(cause));
  }
}
