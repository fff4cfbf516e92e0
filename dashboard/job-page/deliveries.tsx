import { Button, Code, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import type { DeliveryResource } from '../../core/api/deliveries.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import { useApi } from '../api/api-context.tsx';
import { formatDateTime } from '../format/date-time.ts';
import { sanitizeText } from '../format/sanitize-text.ts';
import { isUnfinished } from '../job/use-job.ts';
import { ErrorCallout } from '../ui/error-callout.tsx';
import { notifyFailure } from '../ui/notify.ts';
import { Section } from '../ui/section.tsx';
import { UntrustedText } from '../ui/untrusted-text.tsx';
import { AttemptStateBadge } from './attempt-state-badge.tsx';
import classes from './deliveries.module.css';

const pollMs = 1_000;
/** A delivery may wait a second and be under way for ten more before its next attempt is seen. */
const mayFollowMs = 15_000;

/** Every attempt to tell of the job's end, with what the receiver answered, and a way to tell it again. */
export function Deliveries({ job }: { job: JobResource }) {
  const { client } = useApi();
  const queries = useQueryClient();
  const params = { id: job.jobId };
  const queryKey = ['deliveries', job.jobId];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await client.listDeliveries({ params, signal })).deliveries,
    refetchInterval: ({ state: { data: seen } }) => (mayChange(job, seen ?? []) ? pollMs : false),
  });
  const redeliver = useMutation({
    mutationFn: () => client.redeliverJob({ params }),
    onSuccess: () => {
      redeliveredAt.set(job.jobId, Date.now());
      return queries.invalidateQueries({ queryKey });
    },
    onError: notifyFailure('The webhook could not be sent again'),
  });
  const again = (
    <Button
      size="xs"
      variant="default"
      leftSection={<Send size={14} aria-hidden />}
      disabled={isUnfinished(job)}
      loading={redeliver.isPending}
      onClick={() => redeliver.mutate()}
    >
      Send again
    </Button>
  );
  if (error !== null) {
    return (
      <ErrorCallout title="The deliveries could not be read" error={error} onRetry={() => void refetch()} />
    );
  }
  return (
    <Section title="Attempts" actions={again}>
      {data?.length === 0 ? <NoAttempts job={job} /> : null}
      <Stack component="ul" gap={0} className={classes.list}>
        {data?.toReversed().map((attempt) => (
          <Attempt key={`${attempt.deliveryId} ${attempt.attempt}`} attempt={attempt} />
        ))}
      </Stack>
    </Section>
  );
}

const redeliveredAt = new Map<string, number>();

function mayChange(job: JobResource, attempts: readonly DeliveryResource[]): boolean {
  if (attempts.some(({ state }) => state === 'pending')) return true;
  const since = Math.max(redeliveredAt.get(job.jobId) ?? 0, Date.parse(job.completedAt ?? '') || 0);
  return Date.now() - since < mayFollowMs;
}

function NoAttempts({ job }: { job: JobResource }) {
  return (
    <Text size="sm" c="dimmed">
      {isUnfinished(job)
        ? 'The webhook is sent when the job has ended.'
        : 'No webhook was sent: the job named none, and there was no default when it ended.'}
    </Text>
  );
}

function Attempt({ attempt }: { attempt: DeliveryResource }) {
  const { url, startedAt, latencyMs, status, error, responseBody } = attempt;
  const answered = status === undefined ? '' : ` · ${status}`;
  const took = latencyMs === undefined ? '' : ` · ${latencyMs} ms`;
  return (
    <li className={classes.attempt}>
      <div className={classes.line}>
        <AttemptStateBadge state={attempt.state} />
        <Text size="sm" c="dimmed" className="numbers">
          Attempt {attempt.attempt}
          {answered}
          {took}
        </Text>
        <Text size="sm" c="dimmed" component="time" dateTime={startedAt} className={classes.when}>
          {formatDateTime(startedAt)}
        </Text>
      </div>
      <Text size="sm" className={classes.url}>
        <UntrustedText>{url}</UntrustedText>
      </Text>
      {error === undefined ? null : (
        <Text size="sm" mt={4}>
          <UntrustedText>{error}</UntrustedText>
        </Text>
      )}
      {responseBody === undefined || responseBody === '' ? null : (
        <details className={classes.answer}>
          <summary>Answer</summary>
          <Code block mt={8} tabIndex={0} aria-label={`Answer to attempt ${attempt.attempt}`}>
            {sanitizeText(responseBody)}
          </Code>
        </details>
      )}
    </li>
  );
}
