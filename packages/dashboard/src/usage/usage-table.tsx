import { Table } from '@mantine/core';
import { formatBytes, formatDollarsInColumn, formatDuration, formatNumber } from '@media-jobs/cli/formatting';
import { ScrollableTable } from '../ui/scrollable-table.tsx';
import { Note, UntrustedText } from '../ui/text.tsx';
import type { UsageRow } from './usage-rows.ts';

const columns = ['Jobs', 'Completed', 'Failed', 'Rejected', 'Cancelled'] as const;
const sums = ['Media', 'Output', 'Cost'] as const;

function cellsOf({ jobs, unfinished, mediaSeconds, outputBytes, usd }: UsageRow): string[] {
  const { completed, failed, rejected, cancelled } = jobs;
  const ended = [completed, failed, rejected, cancelled];
  const all = ended.reduce((sum, count) => sum + count, unfinished ?? 0);
  const counts = [all, ...ended, ...(unfinished === undefined ? [] : [unfinished])];
  return [
    ...counts.map((count) => (count === 0 ? '–' : formatNumber(count))),
    formatDuration(mediaSeconds),
    formatBytes(outputBytes),
    formatDollarsInColumn(usd),
  ];
}

/** @param title what the rows are, such as `Day` */
export function UsageTable({ title, rows }: { title: string; rows: readonly UsageRow[] }) {
  if (rows.length === 0) return <Note>No jobs in this period.</Note>;
  const hasUnfinished = rows.some(({ unfinished }) => unfinished !== undefined);
  const titles = [...columns, ...(hasUnfinished ? ['In progress'] : []), ...sums];
  return (
    <ScrollableTable
      label={`Usage by ${title.toLowerCase()}`}
      minWidth={720}
      headings={[title, ...titles]}
      numeric={titles}
    >
      {rows.map((row) => (
        <Table.Tr key={row.id}>
          <Table.Th scope="row">
            <UntrustedText>{row.label}</UntrustedText>
          </Table.Th>
          {cellsOf(row).map((cell, index) => (
            <Table.Td key={titles[index]} ta="end">
              {cell}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </ScrollableTable>
  );
}
