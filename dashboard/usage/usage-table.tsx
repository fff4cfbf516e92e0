import { Table, Text } from '@mantine/core';
import { formatBytes, formatDollarsInColumn, formatDuration } from '../../formatting/quantities.ts';
import { ScrollableTable } from '../ui/scrollable-table.tsx';
import { dayLabel, jobCount, type UsageDay } from './usage-days.ts';

const columns = [
  'Jobs',
  'Completed',
  'Failed',
  'Rejected',
  'Cancelled',
  'In progress',
  'Media',
  'Output',
  'Cost',
] as const;

function cellsOf(day: UsageDay): string[] {
  const { completed, failed, rejected, cancelled, queued, processing } = day.jobs;
  const counts = [jobCount(day), completed, failed, rejected, cancelled, queued + processing];
  return [
    ...counts.map((count) => (count === 0 ? '–' : count.toLocaleString('en'))),
    formatDuration(day.mediaSeconds),
    formatBytes(day.outputBytes),
    formatDollarsInColumn(day.usd),
  ];
}

/** The days with jobs or costs, newest first. */
export function UsageTable({ days }: { days: readonly UsageDay[] }) {
  const activeDays = days.filter((day) => jobCount(day) > 0 || day.usd > 0).toReversed();
  if (activeDays.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No jobs in this period.
      </Text>
    );
  }
  return (
    <ScrollableTable label="Usage by day" minWidth={720}>
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
        {activeDays.map((day) => (
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
