import { Table, Text } from '@mantine/core';
import { formatBytes, formatDuration } from '../../formatting/quantities.ts';
import { ScrollableTable } from '../ui/scrollable-table.tsx';
import { dayLabel } from './chart-series.ts';
import { jobCount, type UsageDay } from './usage-totals.ts';

const columns = [
  'Jobs',
  'Completed',
  'Failed',
  'Rejected',
  'Cancelled',
  'Under way',
  'Media',
  'Output',
] as const;

function cellsOf(day: UsageDay): string[] {
  const { completed, failed, rejected, cancelled, queued, processing } = day.jobs;
  const counts = [jobCount(day), completed, failed, rejected, cancelled, queued + processing];
  return [
    ...counts.map((count) => (count === 0 ? '–' : String(count))),
    formatDuration(day.mediaSeconds),
    formatBytes(day.outputBytes),
  ];
}

/** The days that had jobs, newest first, in numbers. */
export function UsageTable({ days }: { days: readonly UsageDay[] }) {
  const busy = days.filter((day) => jobCount(day) > 0).toReversed();
  if (busy.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No jobs were made in this time.
      </Text>
    );
  }
  return (
    <ScrollableTable label="Usage day by day" minWidth={720}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Day</Table.Th>
          {columns.map((column) => (
            <Table.Th key={column} ta="end">
              {column}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {busy.map((day) => (
          <Table.Tr key={day.date}>
            <Table.Td>{dayLabel(day.date)}</Table.Td>
            {cellsOf(day).map((cell, index) => (
              <Table.Td key={columns[index]} ta="end">
                {cell}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollableTable>
  );
}
