import '../styles/deferred.ts';
import { Anchor, Badge, Progress, Table } from '@mantine/core';
import { formatDollars, formatDuration, formatNumber } from '@media-jobs/cli/formatting';
import type { OperationResult } from '@media-jobs/client';
import { useAction } from '../api/use-action.ts';
import { useRead } from '../api/use-read.ts';
import { formatDateTime } from '../format/time.ts';
import { SmallAction } from '../ui/action-button.tsx';
import { LoadedList } from '../ui/loaded-list.tsx';
import { Page } from '../ui/page.tsx';
import { ScrollableTable } from '../ui/scrollable-table.tsx';
import { Note, UntrustedLine, UntrustedText } from '../ui/text.tsx';

type Batch = OperationResult<'listBatches'>['batches'][number];

const batchesKey = ['batches'];
const headings = ['Batch', 'State', 'Progress', 'Completed', 'Failed', 'Cost', 'Report', 'Action'];

export function BatchesPage() {
  const query = useRead({
    key: batchesKey,
    read: async (client, signal) => (await client.listBatches({ query: { limit: 100 }, signal })).batches,
    refetchInterval: 10_000,
  });
  return (
    <Page
      title="Batches"
      lead="A batch makes a job of each file in a list, a backfill of each file that a watched folder already has."
    >
      <LoadedList
        name="batches"
        query={query}
        none="No batches yet"
        hint="Start a batch with the command line or the API."
        term="batches"
      >
        {(batches) => (
          <ScrollableTable label="Batches" minWidth={900} headings={headings}>
            {batches.map((batch) => (
              <BatchRow key={batch.batchId} batch={batch} />
            ))}
          </ScrollableTable>
        )}
      </LoadedList>
    </Page>
  );
}

const colors: Partial<Record<Batch['state'], string>> = { completed: 'green', failed: 'red', capped: 'yellow' };

function BatchRow({ batch }: { batch: Batch }) {
  const { batchId, state, watch, total, completed, failed, usd, maxUsd, reportUrl, estimate, error, createdAt } = batch;
  const name = watch === undefined ? batchId : `Backfill of ${watch}`;
  return (
    <Table.Tr>
      <Table.Td>
        <UntrustedText>{name}</UntrustedText>
        <Note size="xs">{formatDateTime(createdAt)}</Note>
      </Table.Td>
      <Table.Td>
        <Badge color={colors[state] ?? 'gray'}>{state}</Badge>
        {error === undefined ? null : <UntrustedLine size="xs">{error.message}</UntrustedLine>}
      </Table.Td>
      <Table.Td>
        <Progress value={total === 0 ? 0 : ((completed + failed) / total) * 100} aria-label={`Progress of ${name}`} />
        <Note size="xs">
          {formatNumber(completed + failed)} of {formatNumber(total)}
        </Note>
      </Table.Td>
      <Table.Td>{formatNumber(completed)}</Table.Td>
      <Table.Td>{formatNumber(failed)}</Table.Td>
      <Table.Td>
        {formatDollars(usd)}
        {maxUsd === undefined ? '' : ` of ${formatDollars(maxUsd)}`}
        {estimate === undefined ? null : (
          <Note size="xs">
            estimated {formatDollars(estimate.usd.p50)}, {formatDuration(estimate.seconds.p50)}
          </Note>
        )}
      </Table.Td>
      <Table.Td>{reportUrl === null ? '–' : <Anchor href={reportUrl}>Failures</Anchor>}</Table.Td>
      <Table.Td>{batch.endedAt === undefined ? <CancelButton batchId={batchId} name={name} /> : null}</Table.Td>
    </Table.Tr>
  );
}

function CancelButton({ batchId, name }: { batchId: string; name: string }) {
  const cancel = useAction({
    act: (client) => client.cancelBatch({ params: { id: batchId } }),
    changes: batchesKey,
    failure: 'Could not cancel the batch',
  });
  return <SmallAction label="Cancel" subject={name} action={cancel} />;
}
