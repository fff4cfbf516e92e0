import { Group, NativeSelect, Table } from '@mantine/core';
import { formatNumber } from '@media-jobs/cli/formatting';
import type { JobResource } from '@media-jobs/core/api';
import { useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useRead } from '../api/use-read.ts';
import { formatDateTime } from '../format/time.ts';
import { useBulkAction } from '../job/use-bulk-action.ts';
import { notifySuccess, SmallAction } from '../ui/action-button.tsx';
import { ScrollableTable } from '../ui/scrollable-table.tsx';
import { Section } from '../ui/section.tsx';
import { Note } from '../ui/text.tsx';
import { typed } from '../ui/typed.ts';

/** The periods that a user can choose, by their number of days. */
const periods = [
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
];

/** The hosts whose webhooks failed, with buttons that send them again; nothing if none did. */
export function FailingTargets() {
  const [days, setDays] = useState(7);
  const { jobs, resend } = useFailedWebhooks(days);
  if (jobs.length === 0 && days === 7) return null;
  const actions = (
    <Group gap="xs">
      <NativeSelect
        size="xs"
        aria-label="Period"
        data={periods}
        {...typed(String(days), (chosen) => setDays(Number(chosen)))}
      />
      <SmallAction
        label="Resend all failed"
        variant="filled"
        Icon={Send}
        disabled={jobs.length === 0}
        action={resend}
      />
    </Group>
  );
  return (
    <Section title="Failing targets" actions={actions}>
      {jobs.length === 0 ? (
        <Note>No webhook failed in this period.</Note>
      ) : (
        <ScrollableTable label="Failing targets" minWidth={480} headings={['Host', 'Failed', 'Latest', 'Action']}>
          {targetsOf(jobs).map(({ host, jobIds, lastAt }) => (
            <Table.Tr key={host}>
              <Table.Td>{host}</Table.Td>
              <Table.Td>{formatNumber(jobIds.length)}</Table.Td>
              <Table.Td>{formatDateTime(lastAt)}</Table.Td>
              <Table.Td>
                <ResendButton host={host} jobIds={jobIds} />
              </Table.Td>
            </Table.Tr>
          ))}
        </ScrollableTable>
      )}
    </Section>
  );
}

function ResendButton({ host, jobIds }: { host: string; jobIds: readonly string[] }) {
  const queries = useQueryClient();
  const resend = useBulkAction('redeliverJob', () => void queries.invalidateQueries({ queryKey: ['webhooks'] }));
  const action = { isPending: resend.isPending, mutate: () => resend.mutate(jobIds) };
  return <SmallAction label="Resend" subject={`to ${host}`} action={action} />;
}

const dayMs = 86_400_000;
/** Pages of 100 failed webhooks that the table counts. */
const maxPages = 5;

/** The jobs of the last days whose webhook failed, and a mutation that makes all of these deliveries pending again. */
function useFailedWebhooks(days: number) {
  const { data: jobs = [] } = useRead({
    key: ['webhooks', 'failing', days],
    read: async (client, signal) => {
      const createdAfter = new Date(Date.now() - days * dayMs).toISOString();
      const found: JobResource[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < maxPages; page++) {
        const query = { limit: 100, webhook: 'failed' as const, createdAfter, cursor };
        const { jobs: read, nextCursor } = await client.listJobs({ query, signal });
        found.push(...read);
        if (nextCursor === null) break;
        cursor = nextCursor;
      }
      return found;
    },
    refetchInterval: 10_000,
  });
  const resend = useAction({
    act: async (client) => {
      const now = Date.now();
      const period = { since: new Date(now - days * dayMs).toISOString(), until: new Date(now).toISOString() };
      let recovered = 0;
      let cursor: string | undefined;
      do {
        const answer = await client.recoverDeliveries({ body: { ...period, cursor } });
        recovered += answer.recovered;
        cursor = answer.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return recovered;
    },
    changes: ['webhooks'],
    failure: 'Could not resend the webhooks',
    onDone: (recovered) =>
      notifySuccess(`${formatNumber(recovered)} webhooks are sent again`, 'They start within minutes.'),
  });
  return { jobs, resend };
}

/** The hosts of the webhooks of jobs, the one with most of them first. `lastAt` is when the latest of the jobs ended. */
function targetsOf(jobs: readonly Pick<JobResource, 'jobId' | 'webhook' | 'completedAt'>[]) {
  const byHost = Map.groupBy(jobs, ({ webhook }) => webhook?.host ?? '');
  return [...byHost]
    .map(([host, ofHost]) => ({
      host,
      jobIds: ofHost.map(({ jobId }) => jobId),
      lastAt:
        ofHost
          .map(({ completedAt }) => completedAt ?? '')
          .toSorted()
          .at(-1) ?? '',
    }))
    .toSorted((one, other) => other.jobIds.length - one.jobIds.length);
}
