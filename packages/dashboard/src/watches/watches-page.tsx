import '../styles/deferred.ts';
import { Badge, Table } from '@mantine/core';
import { formatDuration, formatNumber } from '@media-jobs/cli/formatting';
import type { OperationResult } from '@media-jobs/client';
import { Pause, Play } from 'lucide-react';
import { useAction } from '../api/use-action.ts';
import { useRead } from '../api/use-read.ts';
import { formatDateTime } from '../format/time.ts';
import { SmallAction } from '../ui/action-button.tsx';
import { LoadedList } from '../ui/loaded-list.tsx';
import { Page } from '../ui/page.tsx';
import { ScrollableTable } from '../ui/scrollable-table.tsx';

type Watch = OperationResult<'listWatches'>['watches'][number];

const watchesKey = ['watches'];

export function WatchesPage() {
  const query = useRead({
    key: watchesKey,
    read: async (client, signal) => (await client.listWatches({ signal })).watches,
    refetchInterval: 30_000,
  });
  return (
    <Page title="Watches" lead="A watch makes a job of each new file in a folder of a bucket.">
      <LoadedList
        name="watches"
        query={query}
        none="No watches yet"
        hint="The operator of this service adds watches to its settings."
        term="watches"
      >
        {(watches) => (
          <ScrollableTable
            label="Watches"
            minWidth={720}
            headings={['Name', 'State', 'Last checked', 'Files', 'Jobs', 'Delay', 'Action']}
          >
            {watches.map((watch) => (
              <WatchRow key={watch.name} watch={watch} />
            ))}
          </ScrollableTable>
        )}
      </LoadedList>
    </Page>
  );
}

function WatchRow({ watch: { name, state, lastSweepAt, objects, jobs, lagSeconds } }: { watch: Watch }) {
  return (
    <Table.Tr>
      <Table.Td>{name}</Table.Td>
      <Table.Td>
        <Badge color={state === 'paused' ? 'gray' : 'green'}>{state}</Badge>
      </Table.Td>
      <Table.Td>{lastSweepAt === null ? 'not yet' : formatDateTime(lastSweepAt)}</Table.Td>
      <Table.Td>{formatNumber(objects)}</Table.Td>
      <Table.Td>{formatNumber(jobs)}</Table.Td>
      <Table.Td>{lagSeconds === 0 ? 'none' : formatDuration(lagSeconds)}</Table.Td>
      <Table.Td>
        <SwitchButton name={name} isPaused={state === 'paused'} />
      </Table.Td>
    </Table.Tr>
  );
}

function SwitchButton({ name, isPaused }: { name: string; isPaused: boolean }) {
  const label = isPaused ? 'Resume' : 'Pause';
  const change = useAction({
    act: (client) => (isPaused ? client.resumeWatch : client.pauseWatch)({ params: { name } }),
    changes: watchesKey,
    failure: `Could not ${label.toLowerCase()} the watch`,
  });
  return <SmallAction label={label} subject={name} Icon={isPaused ? Play : Pause} action={change} />;
}
