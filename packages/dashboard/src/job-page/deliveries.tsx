import { Box, Group, Stack, Text } from '@mantine/core';
import { noDeliveries, replaceUnsafeCharacters } from '@media-jobs/cli/formatting';
import type { DeliveryResource, JobResource } from '@media-jobs/core/api';
import { CircleCheck, CircleDashed, Send } from 'lucide-react';
import { useAction } from '../api/use-action.ts';
import { useRead } from '../api/use-read.ts';
import { formatDateTime } from '../format/time.ts';
import { Badge, StateBadge } from '../job/state-badge.tsx';
import { isUnfinished } from '../job/use-job.ts';
import { useSettings } from '../settings/use-settings.ts';
import { SmallAction } from '../ui/action-button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { LoadProblem } from '../ui/error-callout.tsx';
import { Section } from '../ui/section.tsx';
import { Note, UntrustedLine } from '../ui/text.tsx';
import classes from './deliveries.module.css';

const pollMs = 1_000;
/** The next attempt may start a second after the end of the last, which takes up to ten seconds. */
const nextAttemptMs = 15_000;
const slowPollMs = 10_000;
/** While receivers of the account are slow, or after a crash, the first attempt begins minutes after the end of the job. */
const firstAttemptMs = 30 * 60_000;

/** The attempts to deliver a job's webhook, with the responses, and a button to deliver it again. */
export function Deliveries({ job }: { job: JobResource }) {
  const params = { id: job.jobId };
  const key = ['deliveries', job.jobId];
  const target = useTarget(job);
  const query = useRead({
    key,
    read: (client, signal) => client.listDeliveries({ params, signal }),
    refetchInterval: ({ state: { data: read } }) => pollInterval(job, { attempts: read?.deliveries ?? [], target }),
  });
  const redeliver = useAction({
    act: async (client) => {
      await client.redeliverJob({ params });
      redeliveredAt.set(job.jobId, Date.now());
    },
    changes: key,
    failure: 'Could not resend the webhook',
  });
  const resendButton = <SmallAction label="Resend" Icon={Send} disabled={isUnfinished(job)} action={redeliver} />;
  const { data, error } = query;
  const problem = <LoadProblem of="the deliveries" query={query} />;
  if (data === undefined && error !== null) return problem;
  return (
    <Stack gap="lg">
      {problem}
      <Section title="Attempts" actions={resendButton}>
        {data?.deliveries.length === 0 ? <Note>{noAttempts(job, target)}</Note> : null}
        <Stack component="ul" gap={14}>
          {data?.deliveries.toReversed().map((attempt) => (
            <Attempt key={`${attempt.deliveryId} ${attempt.attempt}`} attempt={attempt} />
          ))}
        </Stack>
        {data?.payload === undefined ? null : (
          <Disclosure summary="Payload" label="Payload">
            {JSON.stringify(data.payload, null, 2)}
          </Disclosure>
        )}
      </Section>
    </Stack>
  );
}

const redeliveredAt = new Map<string, number>();

type Target = string | null | undefined;

/** Where the webhook of a job goes: its own URL or that of the settings. Null without either, undefined until known. */
function useTarget({ request: { webhookUrl } }: JobResource): Target {
  const { data: settings } = useSettings({ enabled: webhookUrl === undefined });
  return webhookUrl ?? settings?.defaultWebhookUrl;
}

type Polled = { attempts: readonly DeliveryResource[]; target: Target };

function pollInterval(job: JobResource, { attempts, target }: Polled): number | false {
  const since = Math.max(redeliveredAt.get(job.jobId) ?? 0, endOf(job));
  const mayChange = attempts.some(({ state }) => state === 'pending') || Date.now() - since < nextAttemptMs;
  if (mayChange) return pollMs;
  return attempts.length === 0 && isAwaited(job, target) ? slowPollMs : false;
}

/** Whether the first attempt of an ended job may still begin. */
function isAwaited(job: JobResource, target: Target): boolean {
  return typeof target === 'string' && Date.now() - endOf(job) < firstAttemptMs;
}

function endOf({ completedAt }: JobResource): number {
  return Date.parse(completedAt ?? '') || 0;
}

/** Why a delivery has no attempt. */
function noAttempts(job: JobResource, target: Target): string {
  if (!isUnfinished(job)) {
    return isAwaited(job, target)
      ? 'The webhook was not sent yet. It may wait for minutes while your servers answer slowly.'
      : noDeliveries;
  }
  return target === null
    ? 'No webhook will be sent: neither the job nor the settings have a URL for it.'
    : 'The webhook is sent when the job ends.';
}

function Attempt({ attempt }: { attempt: DeliveryResource }) {
  const { url, startedAt, latencyMs, status, error, responseBody } = attempt;
  const statusText = status === undefined ? '' : ` · ${status}`;
  const latencyText = latencyMs === undefined ? '' : ` · ${latencyMs} ms`;
  return (
    <li className={classes.attempt}>
      <Group gap="4px 16px">
        <DeliveryBadge state={attempt.state} />
        <Note className="numbers">{`Attempt ${attempt.attempt}${statusText}${latencyText}`}</Note>
        <Text size="sm" c="dimmed" component="time" dateTime={startedAt} ms="auto">
          {formatDateTime(startedAt)}
        </Text>
      </Group>
      <UntrustedLine mt={4} ff="monospace" fz={13}>
        {url}
      </UntrustedLine>
      {error === undefined ? null : <UntrustedLine mt={4}>{error}</UntrustedLine>}
      {responseBody === undefined || responseBody === '' ? null : (
        <Disclosure summary="Response" label={`Response to attempt ${attempt.attempt}`}>
          {responseBody}
        </Disclosure>
      )}
    </li>
  );
}

function Disclosure({ summary, label, children }: { summary: string; label: string; children: string }) {
  return (
    <Box component="details" mt={8} fz={13}>
      <summary>{summary}</summary>
      <CodeBlock mt={8} label={label}>
        {replaceUnsafeCharacters(children)}
      </CodeBlock>
    </Box>
  );
}

export function DeliveryBadge({ state }: { state: DeliveryResource['state'] }) {
  if (state === 'pending') return <Badge label="Pending" Icon={CircleDashed} />;
  return state === 'failed' ? (
    <StateBadge state="failed" />
  ) : (
    <Badge label="Delivered" Icon={CircleCheck} tone="success" />
  );
}
