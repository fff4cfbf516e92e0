import { Anchor, Table } from '@mantine/core';
import type { JobResource } from '../../core/api/job-resource.ts';
import { formatBytes } from '../format/bytes.ts';
import { formatDuration } from '../format/duration.ts';
import { Section } from '../shell/section.tsx';

/** The record of each file that a job made. */
export function Files({ job }: { job: JobResource }) {
  const files = Object.entries(job.output_files ?? {});
  if (files.length === 0) return null;
  return (
    <Section title={files.length === 1 ? 'File' : `${files.length} files`}>
      <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table verticalSpacing="sm" className="numbers" aria-label="Files">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Codec</Table.Th>
              <Table.Th>Picture</Table.Th>
              <Table.Th>Length</Table.Th>
              <Table.Th>Size</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {files.map(([name, file]) => (
              <Table.Tr key={name}>
                <Table.Td>
                  <Anchor href={file.storage_url} size="sm" underline="always">
                    <bdi>{file.filename}</bdi>
                  </Anchor>
                </Table.Td>
                <Table.Td>{file.codec ?? '–'}</Table.Td>
                <Table.Td>{file.width === undefined ? '–' : `${file.width} × ${file.height}`}</Table.Td>
                <Table.Td>{file.duration === undefined ? '–' : formatDuration(file.duration)}</Table.Td>
                <Table.Td>{formatBytes(file.size_mbytes * 1_000_000)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}
