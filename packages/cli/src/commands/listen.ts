import { randomBytes } from 'node:crypto';
import { type OperationResult, poll } from '@media-jobs/client';
import { isTerminalState } from '@media-jobs/core/api';
import { Command } from 'commander';
import { Webhook } from 'standardwebhooks';
import type { CommandContext, CommandFactory } from '../context/command-context.ts';
import { parseWebUrl } from '../request/parse-option.ts';
import { sanitizeLine } from '../show/sanitize.ts';

/** Of a request. A full page has more behind it. */
const pageSize = 100;
const forwardTimeoutMs = 10_000;

export const listenCommand: CommandFactory = (context) =>
  new Command('listen')
    .description('Forwards the webhooks of jobs that end from now on to a program on this machine, until Ctrl-C.')
    .requiredOption(
      '--forward <url>',
      'URL that receives each webhook, such as http://localhost:3000/hook',
      parseWebUrl,
    )
    .action(async ({ forward }: { forward: string }) => {
      const secret = `whsec_${randomBytes(32).toString('base64')}`;
      const webhook = new Webhook(secret);
      context.printNote(`Webhooks are signed with the secret ${secret} until this program ends. Ctrl-C ends it.`);
      let after = new Date(context.now()).toISOString();
      return poll(context, async () => {
        for (let isFull = true; isFull; ) {
          const { events, nextCursor } = await context.client.listEvents({ query: { after, limit: pageSize } });
          for (const event of events.filter(({ data }) => isTerminalState(data.state))) {
            const outcome = await post(event, { forward, webhook, context });
            context.printNote(`${event.at}  ${event.type}  ${event.jobId}  ${outcome}`);
          }
          after = nextCursor;
          isFull = events.length === pageSize;
        }
        return undefined;
      });
    });

/** POSTs the webhook of an event once, and returns the status or why there is none. */
async function post(
  { jobId, at, data }: OperationResult<'listEvents'>['events'][number],
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
