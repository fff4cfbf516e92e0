import { Table, Text } from '@mantine/core';
import { formatBytes } from '../format/bytes.ts';
import { formatDuration } from '../format/duration.ts';
import { dayLabel } from './series.ts';
import { jobsOf, type UsageDay } from './totals.ts';

/** The days that had jobs, newest first, in numbers. */
export function UsageTable({ days }: { days: readonly UsageDay[] }) {
  const busy = days.filter((day) => jobsOf(day) > 0).toReversed();
  if (busy.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No jobs were made in this time.
      </Text>
    );
  }
  return (
    <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table className="numbers" aria-label="Usage day by day">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Day</Table.Th>
            <Table.Th>Jobs</Table.Th>
            <Table.Th>Completed</Table.Th>
            <Table.Th>Failed</Table.Th>
            <Table.Th>Media</Table.Th>
            <Table.Th>Output</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {busy.map((day) => (
            <Table.Tr key={day.date}>
              <Table.Td>{dayLabel(day.date)}</Table.Td>
              <Table.Td>{jobsOf(day)}</Table.Td>
              <Table.Td>{day.jobs.completed}</Table.Td>
              <Table.Td>{day.jobs.failed + day.jobs.rejected}</Table.Td>
              <Table.Td>{formatDuration(day.mediaSeconds)}</Table.Td>
              <Table.Td>{formatBytes(day.outputBytes)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
