import '../styles/deferred.ts';
import { Box, Button, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { formatAge, jobName, replaceUnsafeCharacters } from '@media-jobs/cli/formatting';
import type { JobResource } from '@media-jobs/core/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { formatDateTime } from '../format/time.ts';
import { useNow } from '../format/use-now.ts';
import { Deliveries, DeliveryBadge } from '../job-page/deliveries.tsx';
import { LoadedList } from '../ui/loaded-list.tsx';
import { Page } from '../ui/page.tsx';
import { UntrustedText } from '../ui/text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { FailingTargets } from './failing-targets.tsx';
import classes from './webhooks.module.css';

const states = ['all', 'failed', 'pending', 'delivered'] as const;

const endedStates: JobResource['state'][] = ['completed', 'failed', 'rejected', 'cancelled'];

/** The webhooks of ended jobs, newest first, with the targets that fail. */
export function WebhooksPage() {
  const [state, setState] = useState<(typeof states)[number]>('all');
  const list = useDeliveries(state);
  return (
    <Page
      title="Webhooks"
      lead={
        <>
          A webhook tells your server that a job has ended. Set its URL in the{' '}
          <TextLink inherit to="/settings">
            settings
          </TextLink>{' '}
          or in the request of a job.
        </>
      }
    >
      <Stack gap="lg">
        <FailingTargets />
        <SegmentedControl
          style={{ alignSelf: 'flex-start' }}
          aria-label="State of the delivery"
          data={states.map((each) => ({ value: each, label: each.charAt(0).toUpperCase() + each.slice(1) }))}
          value={state}
          onChange={(value) => setState(states.find((each) => each === value) ?? 'all')}
        />
        <LoadedList
          name="webhooks"
          query={{ ...list, data: list.jobs }}
          none={state === 'all' ? 'No webhooks yet' : `No ${state} webhooks`}
          hint="A webhook is sent when a job ends, if the job or the settings have a URL for it."
        >
          {(jobs) => (
            <ul className="rows" aria-label="Webhooks">
              {jobs.map((job) => (
                <Delivery key={job.jobId} job={job} />
              ))}
            </ul>
          )}
        </LoadedList>
        {list.isFetchingNextPage ? <Skeleton height={56} aria-label="Loading more webhooks" /> : null}
        {list.hasNextPage ? (
          <Group>
            <Button variant="default" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              Show older
            </Button>
          </Group>
        ) : null}
      </Stack>
    </Page>
  );
}

function useDeliveries(state: (typeof states)[number]) {
  const { client } = useApi();
  const query = { limit: 50, state: endedStates, webhook: state === 'all' ? undefined : state };
  const list = useInfiniteQuery({
    queryKey: ['webhooks', state],
    queryFn: ({ pageParam: cursor, signal }) => client.listJobs({ query: { ...query, cursor }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: 10_000,
  });
  return { ...list, jobs: list.data?.pages.flatMap(({ jobs }) => jobs.filter(({ webhook }) => webhook !== undefined)) };
}

/** One webhook. Its attempts and its payload are read once it is opened. */
function Delivery({ job }: { job: JobResource }) {
  const [isOpen, setIsOpen] = useState(false);
  const now = useNow();
  const { webhook, completedAt } = job;
  if (webhook === undefined || completedAt === null) return null;
  const name = replaceUnsafeCharacters(jobName(job));
  return (
    <Box component="li" px="md" py={12} fz={14}>
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className={classes.summary}>
          <DeliveryBadge state={webhook.state} />
          <Text span inherit fw={550} style={{ overflowWrap: 'anywhere' }}>
            {webhook.host}
          </Text>
          <UntrustedText>{name}</UntrustedText>
          <Text size="sm" c="dimmed" component="time" dateTime={completedAt} title={formatDateTime(completedAt)}>
            {formatAge(completedAt, now)}
          </Text>
        </summary>
        {isOpen ? (
          <Stack gap="sm" mt="sm">
            <TextLink to="/jobs/$jobId" params={{ jobId: job.jobId }}>
              Open the job
            </TextLink>
            <Deliveries job={job} />
          </Stack>
        ) : null}
      </details>
    </Box>
  );
}
